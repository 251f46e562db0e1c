import { MailerService } from '@nestjs-modules/mailer';
import supertest from 'supertest';
import { ImportNotificationService } from '../../../src/modules/zones/import/import-notification.service.js';
import { zoneErrors } from '../../../src/modules/zones/zones.errors.js';
import { MINUTE } from '../../../src/platform/clock/clock.js';
import { getPlan } from '../../../src/modules/plans/plan-catalogue.js';
import { createZone, joinPublicZone, registerUser, type Actor, type TestZone } from '../../support/people/actors.js';
import { describeInProcess, World } from '../../support/world.js';
import { ADD_MODE, importMembers, toCsv, postImport, uniqueEmails, rowStatuses } from '../zones/import-helpers.js';

let world: World;
let owner: Actor;
let zone: TestZone;
beforeAll(async () => {
  world = await World.open();
});
beforeEach(async () => {
  owner = await registerUser(world, { firstName: 'Olga', lastName: 'Owner' });
  zone = await createZone(owner);
});
afterAll(() => world.close());

const NOTIFY = { tell: 'true' };
const sql = (text: string, values: unknown[]) => world.testApp.em().execute<Record<string, unknown>[]>(text, values);
/** Sets how many emails to non-members the owner may still send today. */
const leaveEmailsToday = (left: number) =>
  sql(
    `insert into stranger_mails (owner_id, day, scope, subject, used) values (?, ?, 'owner', '', ?)
     on conflict (owner_id, day, scope, subject) do update set used = excluded.used`,
    [owner.id, world.testApp.clock.now().toISOString().slice(0, 10), getPlan('free').limits.invites! - left],
  );

describeInProcess('Notification of imported members', () => {
  it('is sent on request, with links to open and to leave the zone', async () => {
    const [first, second] = uniqueEmails(2) as [string, string];
    expect(await importMembers(owner, zone, toCsv([first]), NOTIFY)).toMatchObject({
      counts: { ADDED: 1 },
      mail: null,
    });
    const { text, subject } = await world.waitForEmail(first);
    expect(subject).toBe(`Olga Owner has added you to ${zone.name}`);
    expect(text).toContain(`/zones/${zone.id}`);
    const token = /\/unsubscribe\/([\w-]+)/.exec(text)![1]!;
    await world.createClient().post(`/api/unsubscribe/${token}`).expect(200);
    expect((await owner.client.get(`/api/zones/${zone.id}`)).body.memberCount).toBe(0);
    await importMembers(owner, zone, toCsv([second]));
    await world.testApp.drain();
    expect(await world.listEmails(second)).toEqual([]);
  });

  it('supports one-click unsubscribe', async () => {
    const [email] = uniqueEmails(1) as [string];
    const sending = jest.spyOn(world.testApp.app.get(MailerService), 'sendMail');
    await importMembers(owner, zone, toCsv([email]), NOTIFY);
    await world.testApp.drain();
    const sent = sending.mock.calls
      .map(([mail]) => mail)
      .find(({ to }) => (to as { address: string }).address === email);
    sending.mockRestore();
    const headers = sent!.headers as Record<string, string>;
    expect(headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click');
    const { pathname } = new URL(/^<(.+)>$/.exec(headers['List-Unsubscribe']!)![1]!);
    await supertest(world.url).get(pathname);
    expect((await owner.client.get(`/api/zones/${zone.id}`)).body.memberCount).toBe(1);
    await supertest(world.url).post(pathname).type('form').send('List-Unsubscribe=One-Click').expect(200);
    expect((await owner.client.get(`/api/zones/${zone.id}`)).body.memberCount).toBe(0);
  });

  it('is sent later, once, when the importing process did not get to it', async () => {
    const [left, notified] = uniqueEmails(2) as [string, string];
    const enqueueNotifications = jest.spyOn(world.testApp.app.get(ImportNotificationService), 'enqueueNotifications');
    enqueueNotifications.mockRejectedValueOnce(zoneErrors.ZONE_NOT_FOUND());
    await postImport(owner.client, zone, toCsv([left]), { ...ADD_MODE, ...NOTIFY }).expect(404);
    enqueueNotifications.mockRestore();
    await importMembers(owner, zone, toCsv([notified]), NOTIFY);
    await world.testApp.drain();
    const countEmails = async () => [(await world.listEmails(left)).length, (await world.listEmails(notified)).length];
    expect(await countEmails()).toEqual([0, 1]);
    world.testApp.clock.advance(16 * MINUTE);
    await world.testApp.drain();
    expect(await countEmails()).toEqual([1, 1]);
    const { counts } = await importMembers(owner, zone, toCsv([left]), NOTIFY);
    expect(counts).toEqual({ ALREADY_MEMBER: 1 });
    world.testApp.clock.advance(16 * MINUTE);
    await world.testApp.drain();
    expect(await countEmails()).toEqual([1, 1]);
  });

  it('is sent once when process and job coincide', async () => {
    const [email] = uniqueEmails(1) as [string];
    const service = world.testApp.app.get(ImportNotificationService);
    const original = service.enqueueNotifications.bind(service);
    const enqueueNotifications = jest.spyOn(service, 'enqueueNotifications');
    // The adding process was slow, so the fallback job has notified them already.
    enqueueNotifications.mockImplementationOnce(async (...values) => {
      await original(...values);
      return original(...values);
    });
    expect(await importMembers(owner, zone, toCsv([email]), NOTIFY)).toMatchObject({ counts: { ADDED: 1 } });
    enqueueNotifications.mockRestore();
    await world.testApp.drain();
    expect(await world.listEmails(email)).toHaveLength(1);
  });

  it('is only previewed in a dry run', async () => {
    const [email] = uniqueEmails(1) as [string];
    const preview = await importMembers(owner, zone, toCsv([email]), { ...NOTIFY, dryRun: 'true' });
    expect(preview).toMatchObject({ mail: { subject: `Olga Owner has added you to ${zone.name}` } });
    await world.testApp.drain();
    expect(await world.listEmails(email)).toEqual([]);
    expect(await importMembers(owner, zone, toCsv([email]), { dryRun: 'true' })).toMatchObject({ mail: null });
  });

  it('counts towards the daily email quota, and people beyond it are added silently', async () => {
    const emails = uniqueEmails(4);
    await leaveEmailsToday(2);
    const expected = [2, 3, 4, 5].map((row) => [row, row < 4 ? 'ADDED' : 'NOT_TOLD']);
    const preview = await importMembers(owner, zone, toCsv(emails), { ...NOTIFY, dryRun: 'true' });
    expect(rowStatuses(preview.results)).toEqual(expected);
    const result = await importMembers(owner, zone, toCsv(emails), NOTIFY);
    expect(rowStatuses(result.results)).toEqual(expected);
    expect(result.succeeded).toBe(4);
    await world.testApp.drain();
    const mails = await Promise.all(emails.map((email) => world.listEmails(email)));
    expect(mails.map((of) => of.length)).toEqual([1, 1, 0, 0]);
    const invited = await owner.client.post(`/api/zones/${zone.id}/invite`).send({ emails: uniqueEmails(1) });
    expect(invited.body.results[0].status).toBe('DAILY_MAIL_LIMIT');
  });

  it('is limited to three emails a day per address in all', async () => {
    const [email] = uniqueEmails(1) as [string];
    const zones = [zone];
    await sql(`update usage set allowed = null where owner_id = ? and metric = 'zones'`, [owner.id]);
    while (zones.length < 4) zones.push(await createZone(owner));
    const found: string[] = [];
    for (const zone of zones) found.push((await importMembers(owner, zone, toCsv([email]), NOTIFY)).results[0]!.status);
    expect(found).toEqual(['ADDED', 'ADDED', 'ADDED', 'NOT_TOLD']);
  });

  it('is not sent to existing members or with invitations', async () => {
    const member = await registerUser(world);
    await joinPublicZone(zone, member);
    const before = (await world.listEmails(member.email)).length;
    const { counts } = await importMembers(owner, zone, toCsv([member.email]), NOTIFY);
    expect(counts).toEqual({ ALREADY_MEMBER: 1 });
    await world.testApp.drain();
    expect(await world.listEmails(member.email)).toHaveLength(before);
    const rejected = await postImport(owner.client, zone, toCsv(uniqueEmails(1)), { mode: 'invite', ...NOTIFY }).expect(
      400,
    );
    expect(rejected.body.errors.tell).toHaveLength(1);
    await postImport(owner.client, zone, toCsv(uniqueEmails(1)), { ...ADD_MODE, tell: 'perhaps' }).expect(400);
  });

  it('leads to a sign-in that opens the zone', async () => {
    const [email] = uniqueEmails(1) as [string];
    await importMembers(owner, zone, toCsv([email]), NOTIFY);
    const client = world.createClient();
    await client.post('/api/sign-in-mails').send({ email }).expect(200);
    const { text } = await world.waitForEmail(email, (mail) => /^\d{6}$/m.test(mail.text));
    const code = /^\d{6}$/m.exec(text)![0];
    await client.post('/api/sign-in-codes').send({ email, code }).expect(200);
    await client.get(`/api/zones/${zone.id}/files`).expect(200);
  });
});
