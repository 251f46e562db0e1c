import { randomBytes } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import { PasswordHashCost } from '../../../src/modules/auth/passwords/password-hash.service.js';
import { SessionCookieService } from '../../../src/modules/auth/sessions/session-cookie.service.js';
import { SessionService } from '../../../src/modules/auth/sessions/session.service.js';
import { AuditRepository } from '../../../src/platform/audit/audit.repository.js';
import { baseUrl, type Client, type World } from '../world.js';

/** A user with an account and a signed-in browser. */
export interface Actor {
  readonly id: number;
  readonly email: string;
  readonly username: string;
  readonly password: string;
  readonly client: Client;
}

export const PASSWORD = 'correct horse battery';

let nameCounter = 0;

/** Returns a name no other test uses, even against shared running processes. */
export function uniqueName(prefix: string): string {
  return `${prefix}_${(nameCounter++).toString(36)}${randomBytes(4).toString('hex')}`;
}

export interface PersonNames {
  readonly firstName?: string;
  readonly lastName?: string;
}

/** Registers a user and signs them in. */
export async function registerUser(world: World, names: PersonNames = {}): Promise<Actor> {
  const [actor] = await registerUsers(world, 1, names);
  return actor!;
}

/**
 * Registers several users and signs them in. In-process, rows are inserted directly, which takes a thirtieth of the
 * time of registering by email; registration has its own suites.
 */
export async function registerUsers(world: World, count: number, names: PersonNames = {}): Promise<Actor[]> {
  if (!baseUrl) return insertUsers(world, count, names);
  const actors: Actor[] = [];
  while (actors.length < count) actors.push(await registerByEmail(world, names));
  return actors;
}

/** Registers as a user does: code by email, then the form. */
export async function registerByEmail(world: World, names: PersonNames = {}): Promise<Actor> {
  const username = uniqueName('user');
  const email = `${username}@example.com`;
  const client = world.createClient();
  await client.post('/api/send-verification').send({ email }).expect(200);
  const verificationCode = await waitForCode(world, email);
  const { firstName = 'Ada', lastName = 'Test' } = names;
  const form = { email, password: PASSWORD, firstName, lastName, username, verificationCode };
  const { body } = await client.post('/api/register').send(form).expect(201);
  return { id: body.id, email, username, password: PASSWORD, client };
}

async function insertUsers(world: World, count: number, { firstName = 'Ada', lastName = 'Test' }: PersonNames) {
  const { app, clock, em } = world.testApp;
  const passwordHash = await hash(PASSWORD, app.get(PasswordHashCost));
  const usernames = Array.from({ length: count }, () => uniqueName('user'));
  const now = clock.now();
  const rows = await em().execute<{ id: string; username: string }[]>(
    `insert into users (email, username, first_name, last_name, password, email_verified, language, created_at, updated_at)
     select name || '@example.com', name, ?, ?, ?, true, 'en', ?, ?
     from jsonb_array_elements_text(?::jsonb) name returning id, username`,
    [firstName, lastName, passwordHash, now, now, JSON.stringify(usernames)],
  );
  return Promise.all(rows.map(({ id, username }) => createSignedInActor(world, Number(id), username)));
}

async function createSignedInActor(world: World, id: number, username: string): Promise<Actor> {
  const { app, em } = world.testApp;
  const origin = { ipAddress: '127.0.0.1', userAgent: null };
  await app.get(AuditRepository).record(em(), { type: 'user.registered', actorId: id, subjectId: id, ...origin });
  const sid = await app.get(SessionService).createSession(em(), id, false, origin, true);
  const client = world.createClient();
  client.jar.setCookie(`${app.get(SessionCookieService).name}=${sid}; path=/`, new URL(world.url).hostname);
  return { id, username, email: `${username}@example.com`, password: PASSWORD, client };
}

/** Returns the code in the newest email to an address. */
export async function waitForCode(world: World, email: string): Promise<string> {
  const { text } = await world.waitForEmail(email, (mail) => /\b\d{6}\b/.test(mail.text));
  return /\b\d{6}\b/.exec(text)![0];
}

/** Reauthenticates a session with an emailed code, as users without a password do. */
export async function reauthenticateByEmail(world: World, client: Client, email: string): Promise<void> {
  await client.post('/api/user/confirm/mail').send().expect(200);
  await client
    .post('/api/user/confirm')
    .send({ code: await waitForCode(world, email) })
    .expect(200);
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

export async function createZone(owner: Actor, options: ZoneOptions = {}): Promise<TestZone> {
  const zone = { name: uniqueName('Zone'), type: 'public', ...options };
  const { body } = await owner.client.post('/api/zones').send(zone).expect(201);
  return body as TestZone;
}

export async function joinPublicZone(zone: TestZone, actor: Actor): Promise<void> {
  await actor.client
    .post(`/api/public-zones/${zone.publicLink}/join`)
    .send({ email: actor.email, emailConsent: true })
    .expect(200);
}
