import { randomBytes } from 'node:crypto';
import type { Client, World } from './world.js';

/** Somebody with an account and a browser in which they are signed in. */
export interface Actor {
  readonly id: number;
  readonly email: string;
  readonly username: string;
  readonly password: string;
  readonly client: Client;
}

export const PASSWORD = 'correct horse battery';

let count = 0;

/** A name that no other test uses, also against running processes. */
export function unique(prefix: string): string {
  return `${prefix}_${(count++).toString(36)}${randomBytes(4).toString('hex')}`;
}

/** Registers somebody the way a person does: code by mail, then the form. */
export async function register(world: World, names: { firstName?: string; lastName?: string } = {}): Promise<Actor> {
  const username = unique('user');
  const email = `${username}@example.com`;
  const client = world.client();
  await client.post('/api/send-verification').send({ email }).expect(200);
  const verificationCode = await codeFor(world, email);
  const { firstName = 'Ada', lastName = 'Test' } = names;
  const form = { email, password: PASSWORD, firstName, lastName, username, verificationCode };
  const { body } = await client.post('/api/register').send(form).expect(201);
  return { id: body.id, email, username, password: PASSWORD, client };
}

/** The code of the newest mail to an address. */
export async function codeFor(world: World, email: string): Promise<string> {
  const { text } = await world.mailTo(email, (mail) => /\b\d{6}\b/.test(mail.text));
  return /\b\d{6}\b/.exec(text)![0];
}

export interface ZoneOptions {
  readonly name?: string;
  readonly type?: 'private' | 'public';
  readonly autoJoin?: boolean;
  readonly requiresEmailOptin?: boolean;
}

export interface TestZone {
  readonly id: number;
  readonly name: string;
  readonly publicLink: string | null;
}

/** Creates a zone as its owner. */
export async function createZone(owner: Actor, options: ZoneOptions = {}): Promise<TestZone> {
  const zone = { name: unique('Zone'), type: 'public', ...options };
  const { body } = await owner.client.post('/api/zones').send(zone).expect(201);
  return body as TestZone;
}

/** Lets a signed-in person join a public zone. */
export async function join(zone: TestZone, actor: Actor): Promise<void> {
  await actor.client
    .post(`/api/public-zones/${zone.publicLink}/join`)
    .send({ email: actor.email, emailConsent: true })
    .expect(200);
}
