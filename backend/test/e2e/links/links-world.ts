import { createZone, register, unique, type Actor, type TestZone } from '../../support/people/actors.js';
import { verificationLink } from '../../support/people/newcomer.js';
import type { Client, World } from '../../support/world.js';

/** A temporary link as the API shows it. */
export interface TestLink {
  readonly id: number;
  readonly token: string;
  readonly url: string;
  readonly currentUses: number;
}

/** A private zone with its owner. */
export interface PrivateStage {
  readonly owner: Actor;
  readonly zone: TestZone;
}

export async function privateStage(world: World): Promise<PrivateStage> {
  const owner = await register(world, { firstName: 'Grace' });
  return { owner, zone: await createZone(owner, { type: 'private' }) };
}

/** Makes a link as the owner; two days long and without limits unless said otherwise. */
export async function makeLink({ owner, zone }: PrivateStage, fields: object = {}): Promise<TestLink> {
  const { body } = await owner.client
    .post(`/api/zones/${zone.id}/temporary-links`)
    .send({ name: unique('Link'), ...('expiresAt' in fields ? {} : { expiresInHours: 48 }), ...fields })
    .expect(201);
  return body as TestLink;
}

/** Tries to join by a link; the answer is not judged. */
export const joinBy = (client: Client, link: { token: string }, email: string, more: object = {}) =>
  client.post(`/api/temporary-links/${link.token}/join`).send({ email, emailConsent: true, ...more });

/** Asks to join as somebody signed out, and gives the parameters of the mailed link. */
export async function askBy(world: World, link: { token: string }, email: string, more: object = {}) {
  const { body } = await joinBy(world.client(), link, email, more).expect(200);
  if (body.requiresVerification !== true) throw new Error('A mail was expected.');
  return verificationLink(world, email);
}

/** The link as it stands now. */
export async function linkNow({ owner, zone }: PrivateStage, id: number): Promise<Record<string, unknown>> {
  const { body } = await owner.client.get(`/api/zones/${zone.id}/temporary-links`).expect(200);
  return (body as { id: number }[]).find((link) => link.id === id) as unknown as Record<string, unknown>;
}

/** The figures of a link. */
export async function figuresOf({ owner, zone }: PrivateStage, id: number): Promise<Record<string, unknown>> {
  const { body } = await owner.client.get(`/api/zones/${zone.id}/temporary-links/analytics`).expect(200);
  return (body as { id: number }[]).find((link) => link.id === id) as unknown as Record<string, unknown>;
}

/** How many members the zone has. */
export async function members({ owner, zone }: PrivateStage): Promise<number> {
  return (await owner.client.get(`/api/zones/${zone.id}`).expect(200)).body.memberCount as number;
}
