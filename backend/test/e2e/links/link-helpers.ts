import { createZone, registerUser, uniqueName, type Actor, type TestZone } from '../../support/people/actors.js';
import { waitForVerificationLink } from '../../support/people/restricted-user.js';
import type { Client, World } from '../../support/world.js';

/** A temporary link as the API shows it. */
export interface TestLink {
  readonly id: number;
  readonly token: string;
  readonly url: string;
  readonly currentUses: number;
}

/** A private zone with its owner. */
export interface PrivateZone {
  readonly owner: Actor;
  readonly zone: TestZone;
}

export async function createPrivateZone(world: World): Promise<PrivateZone> {
  const owner = await registerUser(world, { firstName: 'Grace' });
  return { owner, zone: await createZone(owner, { type: 'private' }) };
}

/** Makes a link as the owner; two days long and without limits unless said otherwise. */
export async function createLink({ owner, zone }: PrivateZone, fields: object = {}): Promise<TestLink> {
  const { body } = await owner.client
    .post(`/api/zones/${zone.id}/temporary-links`)
    .send({ name: uniqueName('Link'), ...('expiresAt' in fields ? {} : { expiresInHours: 48 }), ...fields })
    .expect(201);
  return body as TestLink;
}

/** Tries to join by a link; the answer is not judged. */
export const joinByLink = (client: Client, link: { token: string }, email: string, extraFields: object = {}) =>
  client.post(`/api/temporary-links/${link.token}/join`).send({ email, emailConsent: true, ...extraFields });

/** Asks to join as somebody signed out, and gives the parameters of the mailed link. */
export async function requestJoinByLink(
  world: World,
  link: { token: string },
  email: string,
  extraFields: object = {},
) {
  const { body } = await joinByLink(world.createClient(), link, email, extraFields).expect(200);
  if (body.requiresVerification !== true) throw new Error('A mail was expected.');
  return waitForVerificationLink(world, email);
}

/** The link as it stands now. */
export async function readLink({ owner, zone }: PrivateZone, id: number): Promise<Record<string, unknown>> {
  const { body } = await owner.client.get(`/api/zones/${zone.id}/temporary-links`).expect(200);
  return (body as { id: number }[]).find((link) => link.id === id) as unknown as Record<string, unknown>;
}

/** The figures of a link. */
export async function readLinkAnalytics({ owner, zone }: PrivateZone, id: number): Promise<Record<string, unknown>> {
  const { body } = await owner.client.get(`/api/zones/${zone.id}/temporary-links/analytics`).expect(200);
  return (body as { id: number }[]).find((link) => link.id === id) as unknown as Record<string, unknown>;
}

/** How many members the zone has. */
export async function countMembers({ owner, zone }: PrivateZone): Promise<number> {
  return (await owner.client.get(`/api/zones/${zone.id}`).expect(200)).body.memberCount as number;
}
