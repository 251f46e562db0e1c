import { sendHeldJoinEmails } from '../../../src/modules/links/links.jobs.js';
import type { CronRunPayload, JobDefinition } from '../../../src/platform/jobs/job-definition.js';
import { JobsService } from '../../../src/platform/jobs/jobs.service.js';
import { createZone, registerUser, uniqueName, type Actor, type TestZone } from '../../support/people/actors.js';
import {
  setInviteLimit,
  setPeopleLimit,
  invite,
  waitForInvitation,
  uniqueEmail,
} from '../../support/people/invitations.js';
import { waitForVerificationLink } from '../../support/people/restricted-user.js';
import { describeInProcess, World } from '../../support/world.js';
import { postImport } from '../zones/import-helpers.js';
import { createLink, createPrivateZone } from '../links/link-helpers.js';

const DAY = 86_400_000;
const makeMany = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

describeInProcess('Emails to non-members', () => {
  let world: World;
  let owner: Actor;
  let zone: TestZone;
  beforeAll(async () => {
    world = await World.open();
  });
  beforeEach(async () => {
    owner = await registerUser(world, { firstName: 'Olga' });
    zone = await createZone(owner);
    await setPeopleLimit(world, owner, 100_000);
  });
  afterAll(() => world.close());

  const revokeAll = async () => {
    const rows = (await owner.client.get(`/api/zones/${zone.id}/invitations?limit=200`).expect(200)).body;
    await Promise.all(
      rows.map(({ id }: { id: number }) => owner.client.delete(`/api/zones/${zone.id}/invitations/${id}`).expect(204)),
    );
  };
  const send = async (emails: string[]) =>
    (await owner.client.post(`/api/zones/${zone.id}/invite`).send({ emails }).expect(200)).body;
  const statuses = ({ results }: { results: { status: string }[] }) => results.map(({ status }) => status);
  const requestJoin = (email: string) =>
    world.createClient().post(`/api/public-zones/${zone.publicLink}/join`).send({ email, emailConsent: true });
  const countEmails = async (...emails: string[]) => {
    await world.testApp.drain();
    const found = await Promise.all(emails.map((email) => world.listEmails(email)));
    return found.map(({ length }) => length);
  };
  const countUsed = async (scope: string) => {
    const sql = `select coalesce(sum(used), 0)::int as used from stranger_mails where owner_id = ? and scope = ?`;
    return (await world.testApp.em().execute<{ used: number }[]>(sql, [owner.id, scope]))[0]!.used;
  };
  const sendHeld = async () => {
    const job: JobDefinition<CronRunPayload> = sendHeldJoinEmails;
    await world.testApp.app.get(JobsService).enqueue(world.testApp.em(), job, { slot: new Date().toISOString() });
    await world.testApp.drain();
  };

  it('are limited to 100 a day on the free plan, including revoked invitations', async () => {
    const first = await send(makeMany(60, uniqueEmail));
    expect(first).toMatchObject({ invited: 60, dailyLimit: null });
    await revokeAll();
    const emails = makeMany(45, uniqueEmail);
    const second = await send(emails);
    expect(statuses(second)).toEqual([...makeMany(40, () => 'INVITED'), ...makeMany(5, () => 'DAILY_MAIL_LIMIT')]);
    expect(second).toMatchObject({ invited: 40, dailyLimit: { used: 100, allowed: 100 } });
    expect(second.results[44].message).toBe("Over today's email limit; can be invited tomorrow");
    await revokeAll();
    expect(statuses(await send([emails[44]!]))).toEqual(['DAILY_MAIL_LIMIT']);
    expect(await countEmails(emails[44]!)).toEqual([0]);
    world.testApp.clock.advance(DAY);
    expect(statuses(await send([emails[44]!]))).toEqual(['INVITED']);
  });

  it('are limited to 100 a day for 40 concurrent requests', async () => {
    const responses = await Promise.all(makeMany(40, () => send(makeMany(5, uniqueEmail))));
    const all = responses.flatMap(statuses);
    expect(all.filter((status) => status === 'INVITED')).toHaveLength(100);
    expect(all.filter((status) => status === 'DAILY_MAIL_LIMIT')).toHaveLength(100);
    expect(await countUsed('owner')).toBe(100);
    const sql = `select count(*)::int as count from invitations where zone_id = ?`;
    expect(await world.testApp.em().execute(sql, [zone.id])).toEqual([{ count: 100 }]);
  });

  it('follow plan changes and agreed limits at once', async () => {
    await setInviteLimit(world, owner, 3);
    expect((await send(makeMany(5, uniqueEmail))).dailyLimit).toEqual({ used: 3, allowed: 3 });
    await setInviteLimit(world, owner, 4);
    expect((await send(makeMany(5, uniqueEmail))).invited).toBe(1);
    await setInviteLimit(world, owner, null);
    expect((await send(makeMany(150, uniqueEmail))).invited).toBe(150);
  });

  it('are limited to three a day per address by invitation, resend or join request', async () => {
    const email = uniqueEmail();
    await invite(zone, owner, email);
    const [row] = (await owner.client.get(`/api/zones/${zone.id}/invitations`).expect(200)).body;
    const resend = () => owner.client.post(`/api/zones/${zone.id}/invitations/${row.id}/resend`);
    await resend().expect(200);
    await requestJoin(email).expect(200);
    const { body } = await resend().expect(429);
    expect(body).toMatchObject({ code: 'ADDRESS_MAIL_LIMIT', message: expect.stringContaining('three emails today') });
    const limitedResponse = (await requestJoin(email).expect(200)).body;
    expect({ ...limitedResponse, handle: '' }).toEqual({
      ...(await requestJoin(uniqueEmail()).expect(200)).body,
      handle: '',
    });
    expect(limitedResponse.handle).toEqual(expect.any(String));
    expect(await countEmails(email)).toEqual([3]);
    expect(await countUsed('address')).toBe(4);
    const other = await registerUser(world);
    const otherZone = await createZone(other);
    expect((await invite(otherZone, other, email))[0]).toMatchObject({ status: 'INVITED' });
    world.testApp.clock.advance(DAY);
    await resend().expect(200);
  });

  it('are limited to three a day per address for 30 concurrent requests', async () => {
    const email = uniqueEmail();
    await Promise.all(makeMany(30, () => requestJoin(email).expect(200)));
    expect(await countEmails(email)).toEqual([3]);
  });

  it('are not counted for people beyond the plan limit', async () => {
    await setPeopleLimit(world, owner, 2);
    expect(statuses(await send(makeMany(5, uniqueEmail)))).toEqual([
      ...makeMany(2, () => 'INVITED'),
      ...makeMany(3, () => 'PLAN_LIMIT'),
    ]);
    expect([await countUsed('owner'), await countUsed('address')]).toEqual([2, 2]);
  });

  it('reject a resend beyond the daily limit', async () => {
    await setInviteLimit(world, owner, 1);
    await invite(zone, owner, uniqueEmail());
    const [row] = (await owner.client.get(`/api/zones/${zone.id}/invitations`).expect(200)).body;
    const { body } = await owner.client.post(`/api/zones/${zone.id}/invitations/${row.id}/resend`).expect(429);
    expect(body.code).toBe('DAILY_MAIL_LIMIT');
    expect(await countUsed('owner')).toBe(1);
  });

  it('are limited for join forms to half of the daily limit, and the rest are sent the next day', async () => {
    await setInviteLimit(world, owner, 6);
    const visitors = makeMany(5, () => `${uniqueName('visitor')}@example.com`);
    const responses: object[] = [];
    for (const email of visitors) responses.push({ ...(await requestJoin(email).expect(200)).body, handle: '' });
    expect(new Set(responses.map((response) => JSON.stringify(response))).size).toBe(1);
    expect(await countEmails(...visitors)).toEqual([1, 1, 1, 0, 0]);
    // The owner can still invite, and is notified once.
    expect((await send(makeMany(5, uniqueEmail))).invited).toBe(3);
    const notifications = (await world.listEmails(owner.email)).filter(({ subject }) =>
      subject.includes('get their join email later'),
    );
    expect(notifications).toHaveLength(1);
    await sendHeld();
    expect(await countEmails(...visitors)).toEqual([1, 1, 1, 0, 0]);
    world.testApp.clock.advance(DAY);
    await sendHeld();
    await sendHeld();
    expect(await countEmails(...visitors)).toEqual([1, 1, 1, 1, 1]);
    const link = await waitForVerificationLink(world, visitors[4]!);
    await world.createClient().post('/api/verify-email').send(link).expect(200);
  });

  it('are limited for temporary links to half of the daily limit', async () => {
    const at = await createPrivateZone(world);
    await setInviteLimit(world, at.owner, 2);
    const link = await createLink(at);
    const [first, second] = [uniqueEmail(), uniqueEmail()];
    for (const email of [first, second]) {
      await world
        .createClient()
        .post(`/api/temporary-links/${link.token}/join`)
        .send({ email, emailConsent: true })
        .expect(200);
    }
    expect(await countEmails(first, second)).toEqual([1, 0]);
  });

  it('are predicted by the dry run of an import', async () => {
    await setInviteLimit(world, owner, 2);
    const csv = ['email', ...makeMany(4, uniqueEmail)].join('\n');
    const runImport = async (dryRun: boolean) =>
      (await postImport(owner.client, zone, csv, { mode: 'invite', dryRun: String(dryRun) }).expect(200)).body;
    expect((await runImport(true)).counts).toEqual({ INVITED: 2, DAILY_MAIL_LIMIT: 2 });
    expect((await runImport(false)).counts).toEqual({ INVITED: 2, DAILY_MAIL_LIMIT: 2 });
    expect(await countUsed('owner')).toBe(2);
  });

  it('contain no name that is a URL', async () => {
    // Names from before forms rejected them.
    const em = world.testApp.em();
    await em.execute(`update users set first_name = 'Prize evil.com', last_name = 'Now' where id = ?`, [owner.id]);
    await em.execute(`update zones set name = 'Claim https://evil.example/x today' where id = ?`, [zone.id]);
    const email = uniqueEmail();
    await invite(zone, owner, email);
    const mail = await waitForInvitation(world, email);
    expect(mail.subject).toBe('Prize Now invites you to Claim today');
    expect(mail.text).not.toContain('evil');
  });
});
