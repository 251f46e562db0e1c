import { createHmac } from 'node:crypto';
import pg from 'pg';
import supertest from 'supertest';
import { RecipientService } from '../../../src/modules/campaigns/audience/recipient.service.js';
import { SuppressionRepository } from '../../../src/modules/zones/leaving/suppression.repository.js';
import { createZone, registerUser } from '../../support/people/actors.js';
import { invite } from '../../support/people/invitations.js';
import { describeInProcess, type World } from '../../support/world.js';
import {
  insertMembers,
  setEmailQuota,
  createDraft,
  SmtpSink,
  createSender,
  openWorldWithSink,
  readUsedEmails,
  type Sender,
} from './campaign-helpers.js';

const SECRET = 'a secret of mail events';
const SENDER_REJECTION = {
  code: 554,
  when: 'recipient',
  text: '5.7.1 Sender address rejected: not authorised',
} as const;
const RECIPIENT_REJECTION = { code: 550, when: 'recipient', text: '5.1.1 User unknown' } as const;

describeInProcess('Rejected campaign emails', () => {
  let world: World;
  let sink: SmtpSink;
  let sender: Sender;

  beforeAll(async () => {
    sink = await SmtpSink.listen();
    world = await openWorldWithSink(sink, { MAIL_EVENTS_SECRET: SECRET });
  });
  beforeEach(async () => {
    sender = await createSender(world);
    await setEmailQuota(world, sender, 1000);
    sink.messages.length = 0;
    sink.decideReply = () => 'take';
  });
  afterAll(async () => {
    await world.close();
    await sink.stop();
  });

  const path = () => `/api/zones/${sender.zone.id}`;
  const readReport = async (id: number) =>
    (await sender.owner.client.get(`/api/campaigns/${id}/report`).expect(200)).body;
  const readCampaign = async (id: number) => (await sender.owner.client.get(`/api/campaigns/${id}`).expect(200)).body;
  const act = (id: number, step: string) => sender.owner.client.post(`/api/campaigns/${id}/${step}`);
  const listSuppressed = async () =>
    (await sender.owner.client.get(`${path()}/suppressed-members`).expect(200)).body as {
      email: string;
      userId: number;
    }[];
  async function send(): Promise<number> {
    const id = await createDraft(sender);
    await act(id, 'send').expect(200);
    await world.testApp.drain();
    return id;
  }
  const rejectRecipients = (reply: typeof SENDER_REJECTION | typeof RECIPIENT_REJECTION, ...addresses: string[]) => {
    sink.decideReply = (to) =>
      (addresses.length === 0 ? to !== sender.owner.email : addresses.includes(to)) ? reply : 'take';
  };
  const listEmailsToOwner = () => sink.messagesTo(sender.owner.email).map(({ raw }) => raw.replaceAll('=\r\n', ''));

  describe('for a sender-related reason', () => {
    it('pause the campaign, notify the owner and suppress no recipient', async () => {
      await insertMembers(world, sender.zone, 100);
      rejectRecipients(SENDER_REJECTION);
      for (let times = 0; times < 3; times++) {
        const id = await send();
        const { status, failure, failedCount, pendingCount } = await readCampaign(id);
        expect({ status, failure }).toEqual({ status: 'paused', failure: 'SENDER_REFUSED' });
        expect(failedCount).toBeGreaterThan(10);
        expect(pendingCount).toBeGreaterThan(0);
        expect((await readReport(id)).failures).toMatchObject([{ fault: 'sender', smtpCode: 554, count: failedCount }]);
        await act(id, 'cancel').expect(200);
      }
      expect(await listSuppressed()).toEqual([]);
      const mails = listEmailsToOwner();
      expect(mails).toHaveLength(3);
      expect(mails[0]).toContain('has been paused');
      expect(mails[0]).toContain('Sender address rejected: not authorised');
      expect(await readUsedEmails(world, sender)).toBe(0);
    });

    it('are counted from zero after the owner resumes the campaign', async () => {
      const emails = await insertMembers(world, sender.zone, 80);
      rejectRecipients(SENDER_REJECTION);
      const id = await send();
      expect(await readCampaign(id)).toMatchObject({ status: 'paused' });
      sink.decideReply = () => 'take';
      await act(id, 'resume').expect(200);
      await world.testApp.drain();
      const ended = await readCampaign(id);
      expect(ended).toMatchObject({ status: 'sent', failure: null });
      expect(ended.deliveredCount + ended.failedCount).toBe(80);
      await act(id, 'retry-failed').expect(200);
      await world.testApp.drain();
      expect(await readCampaign(id)).toMatchObject({ status: 'sent', deliveredCount: 80, failedCount: 0 });
      expect(new Set(sink.recipients.filter((to) => to !== sender.owner.email))).toEqual(new Set(emails));
    });

    it('mark a small campaign as failed if all were rejected, and can be retried', async () => {
      await insertMembers(world, sender.zone, 5);
      rejectRecipients(SENDER_REJECTION);
      const id = await send();
      expect(await readReport(id)).toMatchObject({ status: 'failed', deliveredCount: 0, failedCount: 5 });
      expect(await readCampaign(id)).toMatchObject({
        failure: 'ALL_REFUSED',
        can: { send: false, retryFailed: true, seeReport: true, delete: false },
      });
      expect(listEmailsToOwner()[0]).toContain('was rejected');
      expect(await readUsedEmails(world, sender)).toBe(0);
      sink.decideReply = () => 'take';
      await act(id, 'retry-failed').expect(200);
      await world.testApp.drain();
      expect(await readCampaign(id)).toMatchObject({ status: 'sent', failure: null, deliveredCount: 5 });
    });
  });

  describe('for a missing mailbox', () => {
    it('do not pause the campaign but suppress the address', async () => {
      const emails = await insertMembers(world, sender.zone, 60);
      const missing = emails.slice(0, 10);
      rejectRecipients(RECIPIENT_REJECTION, ...missing);
      for (let times = 0; times < 3; times++) {
        expect(await readCampaign(await send())).toMatchObject({ status: 'sent', deliveredCount: 50, failedCount: 10 });
      }
      expect((await listSuppressed()).map(({ email }) => email).sort()).toEqual([...missing].sort());
    });

    it('do not count after a suppression is lifted, even from older campaigns', async () => {
      const [missing] = (await insertMembers(world, sender.zone, 3)) as [string];
      rejectRecipients(RECIPIENT_REJECTION, missing);
      let id = 0;
      for (let times = 0; times < 3; times++) id = await send();
      const { userId } = (await listSuppressed())[0]!;
      await sender.owner.client.delete(`${path()}/suppressed-members/${userId}`).expect(204);
      const { em, app } = world.testApp;
      const campaign = { campaignId: id, ownerId: sender.owner.id };
      await app.get(RecipientService).suppressFailingAddresses(em(), campaign);
      expect(await listSuppressed()).toEqual([]);
      for (let times = 0; times < 2; times++) await send();
      expect(await listSuppressed()).toEqual([]);
      await send();
      expect(await listSuppressed()).toHaveLength(1);
    });

    it('are not added to sender-related ones', async () => {
      const [missing] = (await insertMembers(world, sender.zone, 3)) as [string];
      for (const reply of [SENDER_REJECTION, SENDER_REJECTION, RECIPIENT_REJECTION]) {
        rejectRecipients(reply, missing);
        expect(await readCampaign(await send())).toMatchObject({ deliveredCount: 2, failedCount: 1 });
      }
      expect(await listSuppressed()).toEqual([]);
    });

    it('do not count if followed by a delivered email', async () => {
      const [missing] = (await insertMembers(world, sender.zone, 3)) as [string];
      for (const isThere of [false, false, true, false, false]) {
        if (isThere) sink.decideReply = () => 'take';
        else rejectRecipients(RECIPIENT_REJECTION, missing);
        await send();
      }
      expect(await listSuppressed()).toEqual([]);
      await send();
      expect(await listSuppressed()).toMatchObject([{ email: missing }]);
    });

    it('can be lifted in bulk, by name or all, except complaints', async () => {
      const emails = await insertMembers(world, sender.zone, 9);
      rejectRecipients(RECIPIENT_REJECTION, ...emails.slice(0, 4));
      for (let times = 0; times < 3; times++) await send();
      const reported = sink.messagesTo(emails[4]!)[0]!;
      await notify({ type: 'complaint', messageId: reported.messageId, email: emails[4] });
      const found = await listSuppressed();
      expect(found).toHaveLength(4);
      const lift = (body: object) => sender.owner.client.post(`${path()}/suppressed-members/lift`).send(body);
      const outsider = await registerUser(world);
      const named = { userIds: [found[0]!.userId, found[1]!.userId, outsider.id] };
      expect((await lift(named).expect(200)).body).toEqual({ lifted: 2 });
      await lift({ userIds: [] }).expect(400);
      await outsider.client.post(`${path()}/suppressed-members/lift`).send({}).expect(404);
      expect((await lift({}).expect(200)).body).toEqual({ lifted: 2 });
      expect((await lift({}).expect(200)).body).toEqual({ lifted: 0 });
      expect(await listSuppressed()).toEqual([]);
    });
  });

  it('are followed by complaints, which count even after the zone is deleted', async () => {
    const [missing, complainer] = (await insertMembers(world, sender.zone, 4)) as [string, string];
    await send();
    const createComplaint = (email: string) => ({
      type: 'complaint',
      messageId: sink.messagesTo(email)[0]!.messageId,
      email,
    });
    rejectRecipients(RECIPIENT_REJECTION, missing);
    for (let times = 0; times < 3; times++) await send();
    expect(await listSuppressed()).toMatchObject([{ email: missing, canLift: true }]);
    const [first, later] = [createComplaint(missing), createComplaint(complainer)];
    await sender.owner.client.delete(path()).expect(204);
    await world.testApp.drain();
    for (const complaint of [first, later]) await notify(complaint);
    const sql = 'select reason from suppressions where owner_id = ?';
    expect(await world.testApp.em().execute(sql, [sender.owner.id])).toEqual([
      { reason: 'complaint' },
      { reason: 'complaint' },
    ]);
    const invited = await invite(await createZone(sender.owner), sender.owner, missing, complainer);
    expect(invited.map(({ status }) => status)).toEqual(['SUPPRESSED', 'SUPPRESSED']);
  });

  it.each([
    ['5.1.1 mailbox is not there', 'reader'],
    ['5.7.1 blocked for its content', 'sender'],
    ['', null],
    [' \t', null],
  ])('are attributed by reason: "%s" to %s', async (reason, bounceCause) => {
    const [email] = (await insertMembers(world, sender.zone, 2)) as [string];
    const id = await send();
    await notify({ type: 'bounce', messageId: sink.messagesTo(email)[0]!.messageId, email, permanent: true, reason });
    expect((await readReport(id)).failures).toMatchObject([{ fault: bounceCause, count: 1 }]);
  });

  it('suppress an address before they lock the quota, in the order of a campaign that finishes', async () => {
    const [email] = (await insertMembers(world, sender.zone, 2)) as [string];
    for (let times = 0; times < 3; times++) await send();
    const bounce = { type: 'bounce', email, permanent: true, reason: '5.1.1 mailbox is not there' };
    const [first, second, last] = sink.messagesTo(email).map(({ messageId }) => ({ ...bounce, messageId }));
    await notify(first!);
    await notify(second!);
    const { app, connection, em } = world.testApp;
    const holder = new pg.Client(connection as pg.ClientConfig);
    await holder.connect();
    try {
      await holder.query('begin');
      const [digest] = app.get(SuppressionRepository).digestsOf(email);
      const suppress = `insert into suppressions (owner_id, digest, reason, created_at) values ($1, $2, 'failed', now())`;
      await holder.query(suppress, [sender.owner.id, digest]);
      const done = notify(last!);
      const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      while ((await em().execute(waiting)).length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
      const quota = `select 1 from usage where owner_id = $1 and metric = 'mails' for update nowait`;
      expect((await holder.query(quota, [sender.owner.id])).rowCount).toBe(1);
      await holder.query('rollback');
      await done;
    } finally {
      await holder.end();
    }
    expect(await listSuppressed()).toMatchObject([{ email }]);
  });

  async function notify(event: object): Promise<void> {
    const body = JSON.stringify([event]);
    const signature = createHmac('sha256', SECRET).update(body).digest('hex');
    await supertest(world.url)
      .post('/api/webhooks/mail-events')
      .set({ 'Content-Type': 'application/json', 'X-Mail-Events-Signature': signature })
      .send(body)
      .expect(200);
  }
});
