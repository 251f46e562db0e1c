import { DAY, HOUR } from '../../../src/platform/clock/clock.js';
import { CampaignStateService } from '../../../src/modules/campaigns/engine/campaign-state.service.js';
import { DeliveryConfig } from '../../../src/modules/campaigns/engine/delivery.policy.js';
import { MailStateRepository } from '../../../src/platform/email/mail-state.repository.js';
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

const NOT_ALLOWED = { code: 550, text: '5.7.1 Sender is not authorised', when: 'sender' } as const;

/** Emails in flight still complete when the campaign pauses. */
const CONNECTIONS = 20;

describeInProcess('Mail server that rejects the sender', () => {
  let world: World;
  let sink: SmtpSink;
  let sender: Sender;

  beforeAll(async () => {
    sink = await SmtpSink.listen();
    world = await openWorldWithSink(sink, { SMTP_URL: sink.url.replace('//', '//zonary:secret@') });
    Object.assign(world.testApp.app.get(DeliveryConfig, { strict: false }), {
      initialServerBackoff: 1,
      maxServerBackoff: 1,
    });
  });
  beforeEach(async () => {
    sink.decideReply = () => 'take';
    sink.sessionRejection = null;
    sender = await createSender(world);
    await setEmailQuota(world, sender, 1000);
    sink.messages.length = 0;
  });
  afterAll(async () => {
    await world.close();
    await sink.stop();
  });

  const readCampaign = async (id: number) => (await sender.owner.client.get(`/api/campaigns/${id}`).expect(200)).body;
  const readReport = async (id: number) =>
    (await sender.owner.client.get(`/api/campaigns/${id}/report`).expect(200)).body;
  const act = (id: number, step: string) => sender.owner.client.post(`/api/campaigns/${id}/${step}`).expect(200);
  const listSuppressed = async () =>
    (await sender.owner.client.get(`/api/zones/${sender.zone.id}/suppressed-members`).expect(200)).body as unknown[];
  const listEmailsToOwner = () => sink.messagesTo(sender.owner.email).map(({ raw }) => raw.replaceAll('=\r\n', ''));
  /** Starts a campaign and runs only the engine, so that no other email reaches the same server. */
  async function send(): Promise<number> {
    const id = await createDraft(sender);
    await act(id, 'send');
    await runEngine();
    return id;
  }
  async function runEngine(): Promise<void> {
    const { CampaignEngineService } = await import('../../../src/modules/campaigns/engine/campaign-engine.service.js');
    await world.testApp.app.get(CampaignEngineService, { strict: false }).processDueDeliveries();
  }
  /** Advances past the retry delays. */
  async function runEngineAfterDelays(): Promise<void> {
    world.testApp.clock.advance(2 * HOUR);
    await world.testApp.drain();
  }

  it('pauses the campaign after a few rejections at MAIL FROM and emails the owner once', async () => {
    await insertMembers(world, sender.zone, 100);
    sink.sessionRejection = NOT_ALLOWED;
    const id = await send();
    const { status, failure, failedCount, pendingCount } = await readCampaign(id);
    expect({ status, failure }).toEqual({ status: 'paused', failure: 'SENDER_REFUSED' });
    expect(failedCount).toBeGreaterThan(10);
    expect(failedCount).toBeLessThanOrEqual(50 + CONNECTIONS);
    expect(pendingCount).toBe(100 - failedCount);
    const why = { fault: 'sender', smtpCode: 550, count: failedCount, reason: '550 5.7.1 Sender is not authorised' };
    expect((await readReport(id)).failures).toEqual([why]);
    expect(
      (await world.testApp.app.get(MailStateRepository, { strict: false }).getState()).refusingSince,
    ).not.toBeNull();
    sink.sessionRejection = null;
    await runEngineAfterDelays();
    const mails = listEmailsToOwner();
    expect(mails).toHaveLength(1);
    expect(mails[0]).toContain('has been paused');
    expect(mails[0]).toContain('550 5.7.1 Sender is not authorised');
    await act(id, 'resume');
    await world.testApp.drain();
    await act(id, 'retry-failed');
    await world.testApp.drain();
    expect(await readCampaign(id)).toMatchObject({ status: 'sent', deliveredCount: 100, failedCount: 0 });
    expect(await listSuppressed()).toEqual([]);
  });

  it('causes no email to an owner who resumed the campaign already', async () => {
    await insertMembers(world, sender.zone, 100);
    sink.sessionRejection = NOT_ALLOWED;
    const id = await send();
    expect(await readCampaign(id)).toMatchObject({ status: 'paused', failure: 'SENDER_REFUSED' });
    sink.sessionRejection = null;
    await act(id, 'resume');
    await world.testApp.drain();
    expect(await readCampaign(id)).toMatchObject({ status: 'sent', pendingCount: 0 });
    expect(listEmailsToOwner()).toEqual([]);
  });

  it('ends the campaign as failed, with a retry, if no more emails were left', async () => {
    await insertMembers(world, sender.zone, 12);
    sink.sessionRejection = NOT_ALLOWED;
    const id = await send();
    const sql = `update campaigns set status = 'paused', failure = 'SENDER_REFUSED', sent_at = null where id = ?`;
    await world.testApp.em().execute(sql, [id]);
    await world.testApp.app.get(CampaignStateService, { strict: false }).sweep();
    expect(await readCampaign(id)).toMatchObject({
      status: 'failed',
      failure: 'ALL_REFUSED',
      can: { retryFailed: true },
    });
    sink.sessionRejection = null;
    await runEngineAfterDelays();
    expect(listEmailsToOwner()).toHaveLength(1);
    await act(id, 'retry-failed');
    await world.testApp.drain();
    expect(await readCampaign(id)).toMatchObject({ status: 'sent', deliveredCount: 12, failedCount: 0 });
  });

  it.each([
    ['a rejection in the greeting', { code: 554, text: '5.7.1 Your network is blocked', when: 'greeting' }],
    ['a rejected password', { code: 535, text: '5.7.8 Authentication failed', when: 'password' }],
  ] as const)('%s pauses the campaign without losing emails', async (_, rejection) => {
    await insertMembers(world, sender.zone, 100);
    // Open connections are past the greeting and authentication.
    const { port } = sink;
    await sink.stop();
    await sink.restart(port);
    sink.sessionRejection = rejection;
    const id = await send();
    for (let tries = 0; tries < 20 && (await readCampaign(id)).status === 'sending'; tries++) {
      world.testApp.clock.advance(2 * HOUR);
      await runEngine();
    }
    expect(await readCampaign(id)).toMatchObject({ status: 'paused', failure: 'SENDER_REFUSED', failedCount: 0 });
    expect((await readReport(id)).failures).toMatchObject([{ fault: 'sender', smtpCode: rejection.code }]);
    // It stays however long it takes: only finished campaigns become history.
    world.testApp.clock.advance(15 * DAY);
    const { body: waiting } = await sender.owner.client.get('/api/dashboard/attention').expect(200);
    expect(waiting).toMatchObject([{ kind: 'paused_campaign', count: 1, campaignId: id }]);
    sink.sessionRejection = null;
    await runEngineAfterDelays();
    expect(listEmailsToOwner()).toHaveLength(1);
    expect(listEmailsToOwner()[0]).toContain(rejection.text);
    await act(id, 'resume');
    await runEngineAfterDelays();
    expect(await readCampaign(id)).toMatchObject({ status: 'sent', deliveredCount: 100, failedCount: 0 });
    expect((await readReport(id)).failures).toEqual([]);
  });

  it.each([
    ['552 5.3.4 Message is too big', { code: 552, when: 'after-data', text: '5.3.4 Message is too big' }],
    ['554 5.7.1 Looks like spam', { code: 554, when: 'after-data', text: '5.7.1 Looks like spam' }],
    ['554 Transaction failed', { code: 554, when: 'after-data', text: 'Transaction failed' }],
  ] as const)('after the data, with %s, pauses the campaign', async (reason, response) => {
    await insertMembers(world, sender.zone, 100);
    sink.decideReply = (to) => (to === sender.owner.email ? 'take' : response);
    const id = await send();
    expect(await readCampaign(id)).toMatchObject({ status: 'paused', failure: 'SENDER_REFUSED' });
    expect((await readReport(id)).failures).toMatchObject([{ fault: 'sender', reason }]);
    await world.testApp.drain();
    expect(listEmailsToOwner()).toHaveLength(1);
  });

  it('notifies the owner and attributes a rejection without a reason to neither side', async () => {
    await insertMembers(world, sender.zone, 4);
    sink.decideReply = (to) => (to === sender.owner.email ? 'take' : { code: 554, when: 'recipient', text: ' ' });
    for (let times = 0; times < 3; times++) {
      const id = await send();
      expect(await readCampaign(id)).toMatchObject({ status: 'failed', failure: 'ALL_REFUSED' });
      expect((await readReport(id)).failures).toMatchObject([{ fault: null, smtpCode: 554, count: 4 }]);
    }
    await world.testApp.drain();
    expect(await listSuppressed()).toEqual([]);
    expect(listEmailsToOwner()).toHaveLength(3);
    expect(listEmailsToOwner()[0]).toContain('without giving a reason');
  });
});
