import { MailerService } from '@nestjs-modules/mailer';
import supertest from 'supertest';
import { ImportNotificationService } from '../../../src/modules/zones/import/import-notification.service.js';
import { zoneErrors } from '../../../src/modules/zones/zones.errors.js';
import { MINUTE } from '../../../src/platform/clock/clock.js';
import { getPlan } from '../../../src/modules/plans/plan-catalogue.js';
import { createZone, join, register, type Actor, type TestZone } from '../../support/people/actors.js';
import { describeInProcess, World } from '../../support/world.js';
import { ADD, addFile, fileOf, sendFile, someEmails, statusesOf } from '../zones/import-world.js';

let world: World;
let owner: Actor;
let zone: TestZone;
beforeAll(async () => {
  world = await World.open();
});
beforeEach(async () => {
  owner = await register(world, { firstName: 'Olga', lastName: 'Owner' });
  zone = await createZone(owner);
});
afterAll(() => world.close());

const TELL = { tell: 'true' };
const sql = (text: string, values: unknown[]) => world.inside.em().execute<Record<string, unknown>[]>(text, values);
/** Leaves the owner so many mails to strangers today. */
const leaveOfToday = (left: number) =>
  sql(
    `insert into stranger_mails (owner_id, day, scope, subject, used) values (?, ?, 'owner', '', ?)
     on conflict (owner_id, day, scope, subject) do update set used = excluded.used`,
    [owner.id, world.inside.clock.now().toISOString().slice(0, 10), getPlan('free').limits.invites! - left],
  );

describeInProcess('people who were added from a file', () => {
  it('are told by mail when the owner wishes it, with a way to open the zone and one to leave it', async () => {
    const [first, second] = someEmails(2) as [string, string];
    expect(await addFile(owner, zone, fileOf([first]), TELL)).toMatchObject({ counts: { ADDED: 1 }, mail: null });
    const { text, subject } = await world.mailTo(first);
    expect(subject).toBe(`Olga Owner has added you to ${zone.name}`);
    expect(text).toContain(`/zones/${zone.id}`);
    const token = /\/unsubscribe\/([\w-]+)/.exec(text)![1]!;
    await world.client().post(`/api/unsubscribe/${token}`).expect(200);
    expect((await owner.client.get(`/api/zones/${zone.id}`)).body.memberCount).toBe(0);
    await addFile(owner, zone, fileOf([second]));
    await world.inside.drain();
    expect(await world.mails(second)).toEqual([]);
  });

  it('may leave by one click of their mail program, as from every mail to members', async () => {
    const [email] = someEmails(1) as [string];
    const sending = jest.spyOn(world.inside.app.get(MailerService), 'sendMail');
    await addFile(owner, zone, fileOf([email]), TELL);
    await world.inside.drain();
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

  it('are told later, once, where the process that added them did not come to it', async () => {
    const [left, told] = someEmails(2) as [string, string];
    const telling = jest.spyOn(world.inside.app.get(ImportNotificationService), 'enqueueNotifications');
    telling.mockRejectedValueOnce(zoneErrors.ZONE_NOT_FOUND());
    await sendFile(owner.client, zone, fileOf([left]), { ...ADD, ...TELL }).expect(404);
    telling.mockRestore();
    await addFile(owner, zone, fileOf([told]), TELL);
    await world.inside.drain();
    const mails = async () => [(await world.mails(left)).length, (await world.mails(told)).length];
    expect(await mails()).toEqual([0, 1]);
    world.inside.clock.advance(16 * MINUTE);
    await world.inside.drain();
    expect(await mails()).toEqual([1, 1]);
    const { counts } = await addFile(owner, zone, fileOf([left]), TELL);
    expect(counts).toEqual({ ALREADY_MEMBER: 1 });
    world.inside.clock.advance(16 * MINUTE);
    await world.inside.drain();
    expect(await mails()).toEqual([1, 1]);
  });

  it('are told once by two who do it at one time', async () => {
    const [email] = someEmails(1) as [string];
    const service = world.inside.app.get(ImportNotificationService);
    const tell = service.enqueueNotifications.bind(service);
    const telling = jest.spyOn(service, 'enqueueNotifications');
    // The process that added them was slow, and the job meant for that case has just done it.
    telling.mockImplementationOnce(async (...values) => {
      await tell(...values);
      return tell(...values);
    });
    expect(await addFile(owner, zone, fileOf([email]), TELL)).toMatchObject({ counts: { ADDED: 1 } });
    telling.mockRestore();
    await world.inside.drain();
    expect(await world.mails(email)).toHaveLength(1);
  });

  it('are told nothing by a look at what would happen, which shows the mail', async () => {
    const [email] = someEmails(1) as [string];
    const told = await addFile(owner, zone, fileOf([email]), { ...TELL, dryRun: 'true' });
    expect(told).toMatchObject({ mail: { subject: `Olga Owner has added you to ${zone.name}` } });
    await world.inside.drain();
    expect(await world.mails(email)).toEqual([]);
    expect(await addFile(owner, zone, fileOf([email]), { dryRun: 'true' })).toMatchObject({ mail: null });
  });

  it('use up the mails of the day as invitations do; who is over is added and not told', async () => {
    const emails = someEmails(4);
    await leaveOfToday(2);
    const expected = [2, 3, 4, 5].map((row) => [row, row < 4 ? 'ADDED' : 'NOT_TOLD']);
    const foretold = await addFile(owner, zone, fileOf(emails), { ...TELL, dryRun: 'true' });
    expect(statusesOf(foretold.results)).toEqual(expected);
    const done = await addFile(owner, zone, fileOf(emails), TELL);
    expect(statusesOf(done.results)).toEqual(expected);
    expect(done.succeeded).toBe(4);
    await world.inside.drain();
    const mails = await Promise.all(emails.map((email) => world.mails(email)));
    expect(mails.map((of) => of.length)).toEqual([1, 1, 0, 0]);
    const invited = await owner.client.post(`/api/zones/${zone.id}/invite`).send({ emails: someEmails(1) });
    expect(invited.body.results[0].status).toBe('DAILY_MAIL_LIMIT');
  });

  it('are not written to a fourth time on a day, by whatever way', async () => {
    const [email] = someEmails(1) as [string];
    const zones = [zone];
    await sql(`update usage set allowed = null where owner_id = ? and metric = 'zones'`, [owner.id]);
    while (zones.length < 4) zones.push(await createZone(owner));
    const found: string[] = [];
    for (const one of zones) found.push((await addFile(owner, one, fileOf([email]), TELL)).results[0]!.status);
    expect(found).toEqual(['ADDED', 'ADDED', 'ADDED', 'NOT_TOLD']);
  });

  it('hear nothing when they were in the zone before, and when only invitations are sent', async () => {
    const member = await register(world);
    await join(zone, member);
    const before = (await world.mails(member.email)).length;
    const { counts } = await addFile(owner, zone, fileOf([member.email]), TELL);
    expect(counts).toEqual({ ALREADY_MEMBER: 1 });
    await world.inside.drain();
    expect(await world.mails(member.email)).toHaveLength(before);
    const refused = await sendFile(owner.client, zone, fileOf(someEmails(1)), { mode: 'invite', ...TELL }).expect(400);
    expect(refused.body.errors.tell).toHaveLength(1);
    await sendFile(owner.client, zone, fileOf(someEmails(1)), { ...ADD, tell: 'perhaps' }).expect(400);
  });

  it('come in by the link that they are told of', async () => {
    const [email] = someEmails(1) as [string];
    await addFile(owner, zone, fileOf([email]), TELL);
    const client = world.client();
    await client.post('/api/sign-in-mails').send({ email }).expect(200);
    const { text } = await world.mailTo(email, (mail) => /^\d{6}$/m.test(mail.text));
    const code = /^\d{6}$/m.exec(text)![0];
    await client.post('/api/sign-in-codes').send({ email, code }).expect(200);
    await client.get(`/api/zones/${zone.id}/files`).expect(200);
  });
});
