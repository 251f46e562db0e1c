import { getPlan } from '../../../src/modules/plans/plan-catalogue.js';
import { createZone, registerUser, type Actor, type TestZone } from '../../support/people/actors.js';
import { describeInProcess, World } from '../../support/world.js';
import {
  ADD_MODE,
  toCsv,
  listMembers,
  postImport,
  uniqueEmails,
  type ImportResponse,
} from '../zones/import-helpers.js';

const CROWD = 20;
const PEOPLE = 6;

let world: World;
let owner: Actor;
let zone: TestZone;
beforeAll(async () => {
  world = await World.open();
});
beforeEach(async () => {
  owner = await registerUser(world);
  zone = await createZone(owner);
});
afterAll(() => world.close());

const sql = (text: string, values: unknown[]) => world.testApp.em().execute<Record<string, unknown>[]>(text, values);
const today = () => world.testApp.clock.now().toISOString().slice(0, 10);

const setAllowedPeople = (allowed: number) =>
  sql(
    `insert into usage (owner_id, metric, period, allowed) values (?, 'people', '', ?)
     on conflict (owner_id, metric, period) do update set allowed = excluded.allowed`,
    [owner.id, allowed],
  );
const readUsedPeople = async () =>
  Number((await sql(`select used from usage where owner_id = ? and metric = 'people'`, [owner.id]))[0]?.used ?? 0);

const ofToday = `owner_id = ? and day = ? and scope = 'owner'`;
const leaveEmailsToday = (left: number) =>
  sql(`insert into stranger_mails (owner_id, day, scope, subject, used) values (?, ?, 'owner', '', ?)`, [
    ...[owner.id, today(), getPlan('free').limits.invites! - left],
  ]);
const readUsedEmails = async () =>
  Number((await sql(`select used from stranger_mails where ${ofToday}`, [owner.id, today()]))[0]?.used ?? 0);

/** Imports the same file from several windows at once; returns the results by address. */
async function importConcurrently(emails: readonly string[]): Promise<Map<string, string[]>> {
  const responses = await Promise.all(
    Array.from({ length: CROWD }, () =>
      postImport(owner.client, zone, toCsv(emails), { ...ADD_MODE, tell: 'true' }).expect(200),
    ),
  );
  const rows = responses.flatMap(({ body }) => (body as ImportResponse).results);
  return new Map(
    emails.map((address) => [address, rows.filter(({ email }) => email === address).map(({ status }) => status)]),
  );
}

const countOf = (statuses: readonly string[], status: string) =>
  statuses.filter((statuse) => statuse === status).length;

/** Number of emails received by each address, in order. */
async function countEmails(emails: readonly string[]): Promise<number[]> {
  await Promise.all([world.testApp.drain(), world.testApp.drain()]);
  return Promise.all(emails.map(async (email) => (await world.listEmails(email)).length));
}

describeInProcess('Import of the same people by twenty concurrent requests', () => {
  it('adds each person once, with one consent, one count and one email', async () => {
    const emails = uniqueEmails(PEOPLE);
    const results = await importConcurrently(emails);
    for (const [email, statuses] of results) {
      const counts = ['ADDED', 'ALREADY_MEMBER'].map((status) => countOf(statuses, status));
      expect([email, ...counts]).toEqual([email, 1, CROWD - 1]);
    }
    expect(await listMembers(owner, zone)).toHaveLength(PEOPLE);
    const consents = await sql('select user_id from email_consents where zone_id = ?', [zone.id]);
    expect([consents.length, await readUsedPeople()]).toEqual([PEOPLE, PEOPLE]);
    expect(await countEmails(emails)).toEqual(emails.map(() => 1));
    expect(await readUsedEmails()).toBe(PEOPLE);
  });

  it('fills the plan exactly', async () => {
    await setAllowedPeople(2);
    const emails = uniqueEmails(PEOPLE);
    const results = await importConcurrently(emails);
    const members = (await listMembers(owner, zone)).map(({ user }) => user.email);
    expect([members.length, await readUsedPeople()]).toEqual([2, 2]);
    const emailsSent = await countEmails(emails);
    for (const [index, email] of emails.entries()) {
      const isIn = members.includes(email);
      expect([email, countOf(results.get(email)!, 'ADDED'), emailsSent[index]]).toEqual([
        email,
        isIn ? 1 : 0,
        isIn ? 1 : 0,
      ]);
    }
  });

  it('sends no more emails than the daily quota allows and adds the others silently', async () => {
    await leaveEmailsToday(2);
    const emails = uniqueEmails(PEOPLE);
    const results = [...(await importConcurrently(emails)).values()];
    expect(await listMembers(owner, zone)).toHaveLength(PEOPLE);
    const countJoined = (statuses: string[]) => countOf(statuses, 'ADDED') + countOf(statuses, 'NOT_TOLD');
    expect(results.map(countJoined)).toEqual(emails.map(() => 1));
    const emailsSent = await countEmails(emails);
    expect(emailsSent.map((mails) => mails > 0)).toEqual(results.map((statuses) => countOf(statuses, 'ADDED') === 1));
    expect(emailsSent.reduce((sum, mails) => sum + mails)).toBe(2);
    expect(await readUsedEmails()).toBe(getPlan('free').limits.invites);
  });
});
