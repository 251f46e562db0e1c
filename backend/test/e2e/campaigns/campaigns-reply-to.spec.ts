import type { EntityManager } from '@mikro-orm/postgresql';
import { ReplyToVerificationService } from '../../../src/modules/campaigns/reply-to/reply-to-verification.service.js';
import { whileTransactionOpen } from '../../support/while-transaction-open.js';
import { registerUser } from '../../support/people/actors.js';
import { describeInProcess, type World } from '../../support/world.js';
import { countStatuses } from '../auth/account-helpers.js';
import {
  insertMembers,
  createDraft,
  SmtpSink,
  createSender,
  openWorldWithSink,
  type Sender,
} from './campaign-helpers.js';

const DAY = 86_400_000;
let last = 0;
const uniqueReplyTo = () => `answers${Date.now()}${(last += 1)}@example.com`;

describeInProcess('Reply-to address', () => {
  let world: World;
  let sink: SmtpSink;
  let sender: Sender;
  let path: string;
  beforeAll(async () => {
    sink = await SmtpSink.listen();
    world = await openWorldWithSink(sink);
  });
  beforeEach(async () => {
    sender = await createSender(world);
    path = `/api/zones/${sender.zone.id}/mail-settings`;
    sink.messages.length = 0;
  });
  afterAll(async () => {
    await world.close();
    await sink.stop();
  });

  const save = async (body: object) => (await sender.owner.client.put(path).send(body).expect(200)).body;
  const readSettings = async () => (await sender.owner.client.get(path).expect(200)).body;
  const resendLink = () => sender.owner.client.post(`${path}/reply-to-link`);
  const check = async (token: string) =>
    (await world.createClient().post('/api/reply-to/check').send({ token }).expect(200)).body;
  const confirm = (token: string) => world.createClient().post('/api/reply-to').send({ token });
  const listVerificationEmails = async (email: string) => {
    await world.testApp.drain();
    return world.listEmails(email);
  };
  const tokenTo = async (email: string) =>
    /\/reply-to\?token=([\w-]+)/.exec((await listVerificationEmails(email))[0]!.text)![1]!;
  /** Returns where replies to a campaign sent now would go. */
  const readReplyTo = async () => {
    const [recipient] = (await insertMembers(world, sender.zone, 1)) as [string];
    const id = await createDraft(sender);
    await sender.owner.client.post(`/api/campaigns/${id}/send`).expect(200);
    await world.testApp.drain();
    return sink.messagesTo(recipient).at(-1)!.headers.get('reply-to');
  };

  it('is used only after confirmation by the link emailed to it', async () => {
    const email = uniqueReplyTo();
    const saved = await save({ replyTo: email });
    expect(saved).toMatchObject({ replyTo: email, replyToWaiting: true, replyToAskedAt: expect.any(String) });
    expect(await readReplyTo()).toBe(sender.owner.email);
    const token = await tokenTo(email);
    expect(await check(token)).toEqual({ email, zoneName: sender.zone.name });
    expect((await readSettings()).replyToWaiting).toBe(true);
    await confirm(token).expect(200);
    expect(await readSettings()).toMatchObject({ replyTo: email, replyToWaiting: false });
    expect(await readReplyTo()).toBe(email);
    expect(await check(token)).toEqual({ email: null, zoneName: null });
    await confirm(token).expect(200);
    const sql = `select actor_id, params from audit_log where type = 'zone.reply-to-proved' and subject_id = ?`;
    const entries = await world.testApp.em().execute(sql, [sender.owner.id]);
    expect(entries).toEqual([{ actor_id: null, params: { zoneId: sender.zone.id } }]);
  });

  it("is verified at once if it is the owner's verified address, but not an unverified one", async () => {
    const { email, id } = sender.owner;
    expect(await save({ replyTo: email.toUpperCase() })).toMatchObject({ replyTo: email, replyToWaiting: false });
    expect(await listVerificationEmails(email)).toEqual([]);
    await world.testApp.em().execute('update users set email_verified = false where id = ?', [id]);
    await save({ replyTo: null });
    expect(await save({ replyTo: email })).toMatchObject({ replyToWaiting: true });
    expect(await readReplyTo()).toBeUndefined();
    const preview = await sender.owner.client.get(`/api/zones/${sender.zone.id}/send-preview`).expect(200);
    expect(preview.body.replyTo).toBeNull();
  });

  it('stays verified until it changes', async () => {
    const [first, second] = [uniqueReplyTo(), uniqueReplyTo()];
    await save({ replyTo: first });
    const token = await tokenTo(first);
    await confirm(token).expect(200);
    expect(await save({ replyTo: first, fromName: 'Ada' })).toMatchObject({ replyToWaiting: false });
    expect(await save({ welcomeEnabled: true })).toMatchObject({ replyTo: first, replyToWaiting: false });
    expect(await listVerificationEmails(first)).toHaveLength(1);
    expect(await save({ replyTo: second })).toMatchObject({ replyTo: second, replyToWaiting: true });
    expect(await readReplyTo()).toBe(sender.owner.email);
    expect(await save({ replyTo: first })).toMatchObject({ replyTo: first, replyToWaiting: true });
    // Neither the used link nor one for a previous address is accepted.
    await confirm(token).expect(400);
    await confirm(await tokenTo(second)).expect(400);
    expect((await readSettings()).replyToWaiting).toBe(true);
    expect(await save({ replyTo: null })).toMatchObject({ replyToWaiting: false, replyToAskedAt: null });
    await confirm(await tokenTo(first)).expect(400);
  });

  it('is sent one link for repeated saves, and a new link voids the older one', async () => {
    const email = uniqueReplyTo();
    await Promise.all(Array.from({ length: 5 }, () => save({ replyTo: email })));
    const old = await tokenTo(email);
    expect(await listVerificationEmails(email)).toHaveLength(1);
    await resendLink().expect(200);
    const newer = await tokenTo(email);
    expect(newer).not.toBe(old);
    expect(countStatuses([await confirm(old), await confirm(newer)])).toEqual({ 200: 1, 400: 1 });
    expect((await resendLink().expect(409)).body.code).toBe('NOTHING_TO_PROVE');
  });

  it('is sent no second link by a concurrent save', async () => {
    const email = uniqueReplyTo();
    await save({ replyTo: email });
    await listVerificationEmails(email);
    const { app, em } = world.testApp;
    const zone = { id: sender.zone.id, ownerId: sender.owner.id };
    await em().execute('update zone_mail_settings set reply_to_asked_at = null where zone_id = ?', [zone.id]);
    const requests = {
      sql: 'update zone_mail_settings set reply_to_asked_at = now() where zone_id = $1',
      values: [zone.id],
    };
    await whileTransactionOpen(world, requests, () =>
      em().transactional((own) =>
        app.get(ReplyToVerificationService).saveReplyTo(own as EntityManager, zone, undefined),
      ),
    );
    expect(await listVerificationEmails(email)).toHaveLength(1);
  });

  it('is verified once by concurrent clicks', async () => {
    const email = uniqueReplyTo();
    await save({ replyTo: email });
    const token = await tokenTo(email);
    const responses = await Promise.all(Array.from({ length: 10 }, () => confirm(token)));
    expect(countStatuses(responses)).toEqual({ 200: 10 });
    const sql = `select count(*)::int as count from audit_log where type = 'zone.reply-to-proved' and subject_id = ?`;
    expect(await world.testApp.em().execute(sql, [sender.owner.id])).toEqual([{ count: 1 }]);
  });

  it("is limited to three verification emails a day and to the plan's quota", async () => {
    const email = uniqueReplyTo();
    await save({ replyTo: email });
    await resendLink().expect(200);
    await resendLink().expect(200);
    expect((await resendLink().expect(429)).body.code).toBe('REPLY_TO_MAIL_LIMIT');
    expect(await listVerificationEmails(email)).toHaveLength(3);
    const sql = `update stranger_mails set used = 100 where owner_id = ? and scope = 'owner'`;
    await world.testApp.em().execute(sql, [sender.owner.id]);
    const other = uniqueReplyTo();
    expect(await save({ replyTo: other })).toMatchObject({
      replyTo: other,
      replyToWaiting: true,
      replyToAskedAt: null,
    });
    await resendLink().expect(429);
    expect(await listVerificationEmails(other)).toEqual([]);
    world.testApp.clock.advance(DAY);
    await resendLink().expect(200);
    expect(await listVerificationEmails(other)).toHaveLength(1);
  });

  it('set before verification existed is verified at the next save', async () => {
    const email = uniqueReplyTo();
    await save({ fromName: 'Ada' });
    const sql = 'update zone_mail_settings set reply_to = ? where zone_id = ?';
    await world.testApp.em().execute(sql, [email, sender.zone.id]);
    expect(await readSettings()).toMatchObject({ replyToWaiting: true, replyToAskedAt: null });
    expect(await readReplyTo()).toBe(sender.owner.email);
    await save({ fromName: 'Bea' });
    await confirm(await tokenTo(email)).expect(200);
    expect(await readReplyTo()).toBe(email);
  });

  it("is sent nothing if it has opted out of the owner's emails, and no one is notified", async () => {
    const deletedUser = await registerUser(world);
    await deletedUser.client.delete('/api/user').send({ password: 'correct horse battery' }).expect(204);
    await world.testApp.drain();
    sink.messages.length = 0;
    expect(await save({ replyTo: deletedUser.email })).toMatchObject({ replyToAskedAt: expect.any(String) });
    expect(await listVerificationEmails(deletedUser.email)).toEqual([]);
  });

  it('can no longer be verified after 7 days or when the zone is deleted', async () => {
    const email = uniqueReplyTo();
    await save({ replyTo: email });
    const token = await tokenTo(email);
    world.testApp.clock.advance(7 * DAY);
    expect(await check(token)).toEqual({ email: null, zoneName: null });
    await confirm(token).expect(400);
    await resendLink().expect(200);
    const newer = await tokenTo(email);
    await sender.owner.client.delete(`/api/zones/${sender.zone.id}`).expect(204);
    expect(await check(newer)).toEqual({ email: null, zoneName: null });
    await confirm(newer).expect(400);
  });

  it('can be verified only by the owner, and others learn nothing', async () => {
    const outsider = await registerUser(world);
    await outsider.client.post(`${path}/reply-to-link`).expect(404);
    expect(await check('x'.repeat(43))).toEqual({ email: null, zoneName: null });
    expect((await confirm('x'.repeat(43)).expect(400)).body.code).toBe('TOKEN_INVALID');
  });
});
