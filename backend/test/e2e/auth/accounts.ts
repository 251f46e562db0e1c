import { codeFor, PASSWORD, unique, type Actor } from '../../support/people/actors.js';
import type { Client, World } from '../../support/world.js';

/** Another password that nobody would guess. */
export const OTHER_PASSWORD = 'staple battery horse';

/** Asks for a new password and gives the token of the mailed link. */
export async function askForReset(world: World, email: string): Promise<string> {
  await world.client().post('/api/forgot-password').send({ email }).expect(200);
  return resetToken(world, email);
}

/** The token of the newest link to set a new password that was mailed to an address. */
export async function resetToken(world: World, email: string): Promise<string> {
  const { text } = await world.mailTo(email, (mail) => mail.text.includes('/reset-password?'));
  return /\/reset-password\?token=([\w-]+)/.exec(text)![1]!;
}

/** Signs in in a browser of its own. */
export async function signIn(world: World, email: string, password = PASSWORD): Promise<Client> {
  const client = world.client();
  await client.post('/api/login').send({ email, password }).expect(200);
  return client;
}

/** The statuses of answers, counted: `{200: 1, 400: 19}`. */
export function countStatuses(answers: readonly { status: number }[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}

/** Does the same some times at once. */
export function atOnce<T>(times: number, work: (index: number) => PromiseLike<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: times }, (_, index) => work(index)));
}

/** Makes an API token as its owner. */
export async function makeToken(actor: Actor, scope: 'read' | 'write' | 'admin' = 'write', expiresInDays = 30) {
  const wish = { name: `For ${scope}`, scope, expiresInDays };
  const { body } = await actor.client.post('/api/user/tokens').send(wish).expect(201);
  return body as { id: number; token: string };
}

/** Shows once more that it is them, as the page does before something dangerous. */
export async function confirm(actor: Actor): Promise<void> {
  await actor.client.post('/api/user/confirm').send({ password: actor.password }).expect(200);
}

/** What the audit log has of a person, oldest first. */
export async function auditOf(world: World, userId: number): Promise<string[]> {
  const sql = 'select type from audit_log where subject_id = ? order by id';
  const rows = (await world.inside.em().execute(sql, [userId])) as { type: string }[];
  return rows.map(({ type }) => type);
}

/** Registers somebody under an address that had an account before. */
export async function registerAgain(world: World, email: string): Promise<Actor> {
  const client = world.client();
  const username = unique('again');
  const before = new Set((await world.mails(email)).map(({ id }) => id));
  await client.post('/api/send-verification').send({ email }).expect(200);
  await world.mailTo(email, ({ id, text }) => !before.has(id) && /\b\d{6}\b/.test(text));
  const names = { firstName: 'Back', lastName: 'Again', username };
  const form = { email, password: PASSWORD, ...names, verificationCode: await codeFor(world, email) };
  const { body } = await client.post('/api/register').send(form).expect(201);
  return { id: body.id, email, username, password: PASSWORD, client };
}
