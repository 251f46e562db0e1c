import { waitForCode, PASSWORD, uniqueName, type Actor } from '../../support/people/actors.js';
import type { Client, World } from '../../support/world.js';

/** A second strong password. */
export const OTHER_PASSWORD = 'staple battery horse';

/** Requests a password reset and returns the token from the email. */
export async function requestPasswordReset(world: World, email: string): Promise<string> {
  await world.createClient().post('/api/forgot-password').send({ email }).expect(200);
  return waitForResetToken(world, email);
}

/** Returns the token of the newest password reset email to an address. */
export async function waitForResetToken(world: World, email: string): Promise<string> {
  const { text } = await world.waitForEmail(email, (mail) => mail.text.includes('/reset-password?'));
  return /\/reset-password\?token=([\w-]+)/.exec(text)![1]!;
}

/** Signs in with a new client. */
export async function signIn(world: World, email: string, password = PASSWORD): Promise<Client> {
  const client = world.createClient();
  await client.post('/api/login').send({ email, password }).expect(200);
  return client;
}

/** Counts responses by status: `{200: 1, 400: 19}`. */
export function countStatuses(responses: readonly { status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Runs `work` several times concurrently. */
export function runConcurrently<T>(times: number, work: (index: number) => PromiseLike<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: times }, (_, index) => work(index)));
}

/** Creates an API token as its owner. */
export async function createApiToken(actor: Actor, scope: 'read' | 'write' | 'admin' = 'write', expiresInDays = 30) {
  const form = { name: `For ${scope}`, scope, expiresInDays };
  const { body } = await actor.client.post('/api/user/tokens').send(form).expect(201);
  return body as { id: number; token: string };
}

/** Reauthenticates with the password, as the page does before sensitive actions. */
export async function reauthenticate(actor: Actor): Promise<void> {
  await actor.client.post('/api/user/confirm').send({ password: actor.password }).expect(200);
}

/** Types of a user's audit log entries, oldest first. */
export async function listAuditTypes(world: World, userId: number): Promise<string[]> {
  const sql = 'select type from audit_log where subject_id = ? order by id';
  const rows = (await world.testApp.em().execute(sql, [userId])) as { type: string }[];
  return rows.map(({ type }) => type);
}

/** Registers again with the email address of a deleted account. */
export async function registerAgain(world: World, email: string): Promise<Actor> {
  const client = world.createClient();
  const username = uniqueName('again');
  const previousIds = new Set((await world.listEmails(email)).map(({ id }) => id));
  await client.post('/api/send-verification').send({ email }).expect(200);
  await world.waitForEmail(email, ({ id, text }) => !previousIds.has(id) && /\b\d{6}\b/.test(text));
  const names = { firstName: 'Back', lastName: 'Again', username };
  const form = { email, password: PASSWORD, ...names, verificationCode: await waitForCode(world, email) };
  const { body } = await client.post('/api/register').send(form).expect(201);
  return { id: body.id, email, username, password: PASSWORD, client };
}
