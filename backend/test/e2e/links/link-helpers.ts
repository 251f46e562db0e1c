import { createZone, registerUser, uniqueName, type Actor, type TestZone } from '../../support/people/actors.js';
import { waitForVerificationLink } from '../../support/people/restricted-user.js';
import type { Client, World } from '../../support/world.js';

/** A temporary link as returned by the API. */
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

/** Creates a link as the owner; valid for two days and unlimited by default. */
export async function createLink({ owner, zone }: PrivateZone, fields: object = {}): Promise<TestLink> {
  const { body } = await owner.client
    .post(`/api/zones/${zone.id}/temporary-links`)
    .send({ name: uniqueName('Link'), ...('expiresAt' in fields ? {} : { expiresInHours: 48 }), ...fields })
    .expect(201);
  return body as TestLink;
}

/** Tries to join by a link; the caller checks the response. */
export const joinByLink = (client: Client, link: { token: string }, email: string, extraFields: object = {}) =>
  client.post(`/api/temporary-links/${link.token}/join`).send({ email, emailConsent: true, ...extraFields });

/** Requests to join while signed out; returns the parameters of the emailed link. */
export async function requestJoinByLink(
  world: World,
  link: { token: string },
  email: string,
  extraFields: object = {},
) {
  const { body } = await joinByLink(world.createClient(), link, email, extraFields).expect(200);
  if (body.requiresVerification !== true) throw new Error('Expected an email to be sent.');
  return waitForVerificationLink(world, email);
}

/** The current state of the link. */
export async function readLink({ owner, zone }: PrivateZone, id: number): Promise<Record<string, unknown>> {
  const { body } = await owner.client.get(`/api/zones/${zone.id}/temporary-links`).expect(200);
  return (body as { id: number }[]).find((link) => link.id === id) as unknown as Record<string, unknown>;
}

/** The analytics of a link. */
export async function readLinkAnalytics({ owner, zone }: PrivateZone, id: number): Promise<Record<string, unknown>> {
  const { body } = await owner.client.get(`/api/zones/${zone.id}/temporary-links/analytics`).expect(200);
  return (body as { id: number }[]).find((link) => link.id === id) as unknown as Record<string, unknown>;
}

export async function countMembers({ owner, zone }: PrivateZone): Promise<number> {
  return (await owner.client.get(`/api/zones/${zone.id}`).expect(200)).body.memberCount as number;
}
