import { createHmac } from 'node:crypto';
import supertest from 'supertest';
import { describeInProcess, type World } from '../../support/world.js';
import {
  insertMembers,
  setEmailQuota,
  createDraft,
  SmtpSink,
  createSender,
  openWorldWithSink,
  type Sender,
} from './campaign-helpers.js';

const SECRET = 'a secret of mail events';
const MAILBOX_MISSING = { code: 550, when: 'recipient', text: '5.1.1 User unknown' } as const;

/** Emails in flight still complete when the campaign pauses. */
const CONNECTIONS = 20;

const paused = `update campaigns set status = 'paused', failure = 'READERS_REFUSED', sent_at = null where id = ?`;

describeInProcess('Bounces for missing mailboxes', () => {
  let world: World;
  let sink: SmtpSink;
  let sender: Sender;

  beforeAll(async () => {
    sink = await SmtpSink.listen();
    world = await openWorldWithSink(sink, { MAIL_EVENTS_SECRET: SECRET });
  });
  beforeEach(async () => {
    sink.decideReply = () => 'take';
    sender = await createSender(world);
    await setEmailQuota(world, sender, 1000);
    sink.messages.length = 0;
  });
  afterAll(async () => {
    await world.close();
    await sink.stop();
  });

  const readCampaign = async (id: number) => (await sender.owner.client.get(`/api/campaigns/${id}`).expect(200)).body;
  const act = (id: number, step: string) => sender.owner.client.post(`/api/campaigns/${id}/${step}`).expect(200);
  const listSuppressed = async () =>
    (
      (await sender.owner.client.get(`/api/zones/${sender.zone.id}/suppressed-members`).expect(200)).body as {
        email: string;
      }[]
    ).map(({ email }) => email);
  const listEmailsToOwner = () => sink.messagesTo(sender.owner.email).map(({ raw }) => raw.replaceAll('=\r\n', ''));
  const rejectRecipients = (emails: readonly string[]) => {
    const missing = new Set(emails);
    sink.decideReply = (to) => (missing.has(to) ? MAILBOX_MISSING : 'take');
  };
  async function send(): Promise<number> {
    const id = await createDraft(sender);
    await act(id, 'send');
    await world.testApp.drain();
    return id;
  }

  it('pause the campaign when all bounce, email the owner and suppress no addresses', async () => {
    rejectRecipients(await insertMembers(world, sender.zone, 100));
    for (let times = 0; times < 3; times++) {
      const id = await send();
      const { status, failure, failedCount, pendingCount } = await readCampaign(id);
      expect({ status, failure }).toEqual({ status: 'paused', failure: 'READERS_REFUSED' });
      expect(failedCount).toBeLessThanOrEqual(50 + CONNECTIONS);
      expect(failedCount + pendingCount).toBe(100);
      await act(id, 'cancel');
    }
    expect(await listSuppressed()).toEqual([]);
    expect(listEmailsToOwner()).toHaveLength(3);
    expect(listEmailsToOwner()[0]).toContain('has been paused');
    expect(listEmailsToOwner()[0]).toContain("that these mailboxes don't exist");
    expect(listEmailsToOwner()[0]).toContain('5.1.1 User unknown');
  });

  it('suppress no addresses in campaigns that reach no one but are too small to pause', async () => {
    rejectRecipients(await insertMembers(world, sender.zone, 5));
    for (let times = 0; times < 3; times++) {
      expect(await readCampaign(await send())).toMatchObject({ status: 'failed', failure: 'ALL_REFUSED' });
    }
    expect(await listSuppressed()).toEqual([]);
    expect(listEmailsToOwner()).toHaveLength(3);
    expect(listEmailsToOwner()[0]).toContain('was rejected');
  });

  it('suppress no addresses when the owner cancels the campaign, even if other emails arrived', async () => {
    rejectRecipients((await insertMembers(world, sender.zone, 60)).slice(0, 10));
    for (let times = 0; times < 2; times++) {
      const id = await send();
      expect(await readCampaign(id)).toMatchObject({ deliveredCount: 50, failedCount: 10 });
      // The state after these were rejected first and the emails in flight were delivered.
      await world.testApp.em().execute(paused, [id]);
      await act(id, 'cancel');
    }
    expect(await readCampaign(await send())).toMatchObject({ status: 'sent', deliveredCount: 50, failedCount: 10 });
    expect(await listSuppressed()).toEqual([]);
  });

  it('suppress addresses once the owner resumes the campaign, which does not pause again', async () => {
    const emails = await insertMembers(world, sender.zone, 60);
    const missing = emails.slice(0, 20);
    rejectRecipients(missing);
    for (let times = 0; times < 3; times++) {
      const id = await send();
      expect(await readCampaign(id)).toMatchObject({ status: 'paused', failure: 'READERS_REFUSED' });
      expect(await listSuppressed()).toEqual([]);
      await act(id, 'resume');
      await world.testApp.drain();
      expect(await readCampaign(id)).toMatchObject({ status: 'sent', deliveredCount: 40, failedCount: 20 });
    }
    expect((await listSuppressed()).sort()).toEqual([...missing].sort());
  });

  it('end a resumed campaign at once when nothing was left to send', async () => {
    await insertMembers(world, sender.zone, 5);
    const id = await send();
    await world.testApp.em().execute(paused, [id]);
    await act(id, 'resume');
    await world.testApp.drain();
    expect(await readCampaign(id)).toMatchObject({ status: 'sent', deliveredCount: 5, failure: null });
  });

  it('mark the campaign as failed if reported later for all recipients, and suppress no addresses', async () => {
    const emails = await insertMembers(world, sender.zone, 5);
    for (let times = 0; times < 3; times++) {
      sink.messages.length = 0;
      const id = await send();
      expect(await readCampaign(id)).toMatchObject({ status: 'sent', deliveredCount: 5 });
      for (const email of emails) await bounce(email);
      expect(await readCampaign(id)).toMatchObject({ status: 'failed', failure: 'ALL_REFUSED', deliveredCount: 0 });
      await world.testApp.drain();
      expect(listEmailsToOwner()).toHaveLength(1);
    }
    expect(await listSuppressed()).toEqual([]);
  });

  async function bounce(email: string): Promise<void> {
    const { messageId } = sink.messagesTo(email)[0]!;
    const body = JSON.stringify([{ type: 'bounce', messageId, email, permanent: true, reason: '5.1.1 unknown' }]);
    const signature = createHmac('sha256', SECRET).update(body).digest('hex');
    await supertest(world.url)
      .post('/api/webhooks/mail-events')
      .set({ 'Content-Type': 'application/json', 'X-Mail-Events-Signature': signature })
      .send(body)
      .expect(200);
  }
});
