import { MINUTE } from '../../../src/platform/clock/clock.js';
import { DeliveryConfig } from '../../../src/modules/campaigns/engine/delivery.policy.js';
import { ZonePurger } from '../../../src/modules/zones/zone/zone-purger.js';
import { whileTransactionOpen } from '../../support/while-transaction-open.js';
import { describeInProcess, type World } from '../../support/world.js';
import {
  insertMembers,
  createDraft,
  SmtpSink,
  createSender,
  openWorldWithSink,
  readProgress,
  readUsedEmails,
  type Sender,
} from './campaign-helpers.js';

/** Connections to the mail server that a worker keeps open. */
const CONNECTIONS = 20;

async function waitFor(isSo: () => boolean): Promise<void> {
  for (const end = Date.now() + 20_000; !isSo(); await new Promise((resolve) => setTimeout(resolve, 10))) {
    if (Date.now() > end) throw new Error("The condition wasn't fulfilled in time.");
  }
}

describeInProcess('Campaign delivery with a failing mail server', () => {
  let world: World;
  let sink: SmtpSink;
  let sender: Sender;

  beforeAll(async () => {
    sink = await SmtpSink.listen();
    world = await openWorldWithSink(sink);
    Object.assign(world.testApp.app.get(DeliveryConfig, { strict: false }), {
      initialServerBackoff: 1,
      maxServerBackoff: 1,
    });
  });
  beforeEach(async () => {
    sink.decideReply = () => 'take';
    sink.greetingDelay = 0;
    sender = await createSender(world);
    sink.messages.length = 0;
  });
  afterAll(async () => {
    await world.close();
    await sink.stop();
  });

  async function startCampaign(): Promise<number> {
    const id = await createDraft(sender);
    await sender.owner.client.post(`/api/campaigns/${id}/send`).expect(200);
    return id;
  }
  /** Runs the engine until nothing is left to send, advancing past retry delays. */
  async function finishSending(id: number, rounds = 40): Promise<void> {
    const { sweepCampaigns } = await import('../../../src/modules/campaigns/campaigns.jobs.js');
    const { CronScheduler } = await import('../../../src/platform/jobs/cron/cron-scheduler.js');
    for (let round = 0; round < rounds; round++) {
      await world.testApp.drain();
      if ((await readProgress(sender.owner.client, id)).status !== 'sending') return;
      world.testApp.clock.advance(70 * MINUTE);
      await world.testApp.app.get(CronScheduler).enqueueCronRun(sweepCampaigns as never, world.testApp.clock.now());
    }
    throw new Error('The campaign did not end.');
  }
  /**
   * Prints and returns how many recipients got the email, how many of `emails` didn't, and how many duplicates there
   * were.
   */
  function countOutcome(what: string, emails: string[]) {
    const received = new Set(sink.recipients);
    const counts = {
      sent: sink.messages.length,
      lost: emails.filter((email) => !received.has(email)).length,
      duplicated: sink.messages.length - received.size,
    };
    process.stdout.write(`${what}: ${counts.sent} sent, ${counts.lost} lost, ${counts.duplicated} duplicated\n`);
    return counts;
  }

  it('retries temporary failures but not permanent ones', async () => {
    const emails = await insertMembers(world, sender.zone, 60);
    const later = new Set(emails.slice(0, 20));
    const never = new Set(emails.slice(20, 30));
    sink.decideReply = (to, tries) =>
      later.has(to) && tries < 3
        ? { code: 451, when: tries === 1 ? 'recipient' : 'after-data' }
        : never.has(to)
          ? { code: 550, when: 'after-data' }
          : 'take';
    const id = await startCampaign();
    await finishSending(id);
    expect(countOutcome('4xx for a third, 5xx for a sixth', emails)).toEqual({ sent: 50, lost: 10, duplicated: 0 });
    expect(await readProgress(sender.owner.client, id)).toMatchObject({
      status: 'sent',
      deliveredCount: 50,
      failedCount: 10,
    });
    expect(await readUsedEmails(world, sender)).toBe(50);
  });

  it('waits for an unreachable server', async () => {
    const emails = await insertMembers(world, sender.zone, 50);
    const { port } = sink;
    await sink.stop();
    const id = await startCampaign();
    await world.testApp.drain();
    expect(await readProgress(sender.owner.client, id)).toMatchObject({
      status: 'sending',
      deliveredCount: 0,
      failedCount: 0,
    });
    await sink.restart(port);
    await finishSending(id);
    expect(countOutcome('the server refuses connections', emails)).toEqual({ sent: 50, lost: 0, duplicated: 0 });
    expect(await readUsedEmails(world, sender)).toBe(50);
  });

  it('loses no emails when the server greets slowly', async () => {
    const emails = await insertMembers(world, sender.zone, 30);
    sink.greetingDelay = 1500;
    const id = await startCampaign();
    await finishSending(id);
    expect(countOutcome('the server greets slowly', emails)).toEqual({ sent: 30, lost: 0, duplicated: 0 });
  });

  it('resends with the same Message-ID when the server hangs up instead of answering', async () => {
    const emails = await insertMembers(world, sender.zone, 60);
    const cut = new Set(emails.filter((_, index) => index % 6 === 0));
    sink.decideReply = (to, tries) => (cut.has(to) && tries === 1 ? 'close-after-data' : 'take');
    const id = await startCampaign();
    await finishSending(id);
    expect(countOutcome('the server closes after DATA', emails)).toEqual({ sent: 60, lost: 0, duplicated: 0 });
    expect(await readUsedEmails(world, sender)).toBe(60);
  });

  it('resends an email at most once per connection when its response was lost', async () => {
    const emails = await insertMembers(world, sender.zone, 60);
    const cut = new Set(emails.slice(0, 5));
    sink.decideReply = (to, tries) => (cut.has(to) && tries === 1 ? 'take-and-close' : 'take');
    const id = await startCampaign();
    await finishSending(id);
    const counts = countOutcome('the response to DATA is lost', emails);
    expect(counts.lost).toBe(0);
    expect(counts.duplicated).toBeLessThanOrEqual(20);
    expect(new Set(sink.messages.map(({ messageId }) => messageId)).size).toBe(60);
    expect(await readProgress(sender.owner.client, id)).toMatchObject({ deliveredCount: 60 });
  });

  it('sends no further email on a connection before the last result is stored', async () => {
    const emails = await insertMembers(world, sender.zone, 60);
    const id = await startCampaign();
    const holder = world.testApp.em();
    await holder.begin();
    await holder.execute('select id from campaigns where id = ? for no key update', [id]);
    const work = world.testApp.drain();
    await waitFor(() => sink.messages.length >= CONNECTIONS);
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(sink.messages).toHaveLength(CONNECTIONS);
    await holder.commit();
    await work;
    await finishSending(id);
    expect(countOutcome('results could not be written for a while', emails)).toEqual({
      sent: 60,
      lost: 0,
      duplicated: 0,
    });
  });

  it('sends none of the emails claimed by a worker whose lease has expired', async () => {
    const timings = world.testApp.app.get(DeliveryConfig, { strict: false });
    const { leaseDuration, heartbeatInterval } = timings;
    const emails = await insertMembers(world, sender.zone, 60);
    const id = await startCampaign();
    const em = world.testApp.em();
    const other = '00000000-0000-0000-0000-000000000002';
    // The worker sends no heartbeat, and its emails hang for longer than the lease.
    Object.assign(timings, { leaseDuration: 3000, heartbeatInterval: 1_000_000 });
    sink.acceptDelay = 3500;
    const work = world.testApp.drain();
    await waitFor(() => sink.pendingCount === CONNECTIONS);
    await em.execute(`insert into delivery_workers (id, seen_at) values (?, now() + interval '1 hour')`, [other]);
    const claimedByOther = await em.execute(
      `update deliveries set worker_id = ? where campaign_id = ? and state = 'sending' returning id`,
      [other, id],
    );
    sink.acceptDelay = 0;
    await waitFor(() => sink.messages.length > CONNECTIONS);
    Object.assign(timings, { leaseDuration, heartbeatInterval });
    await work;
    // The emails in flight and the unclaimed ones, but not those the other worker has claimed.
    expect(sink.messages).toHaveLength(60 - (claimedByOther.length - CONNECTIONS));
    await em.execute(`update delivery_workers set seen_at = now() - interval '1 hour' where id = ?`, [other]);
    await finishSending(id);
    expect(countOutcome('a worker was suspended for too long', emails)).toEqual({ sent: 60, lost: 0, duplicated: 0 });
  });

  it('takes over the emails claimed by a dead worker', async () => {
    const emails = await insertMembers(world, sender.zone, 30);
    const id = await startCampaign();
    const em = world.testApp.em();
    await em.execute(
      `insert into delivery_workers (id, seen_at) values ('00000000-0000-0000-0000-000000000001', now() - interval '1 hour')`,
    );
    await em.execute(
      `update deliveries set state = 'sending', worker_id = '00000000-0000-0000-0000-000000000001'
       where campaign_id = ? and id % 2 = 0`,
      [id],
    );
    await finishSending(id);
    expect(countOutcome('half was held by a worker that died', emails)).toEqual({ sent: 30, lost: 0, duplicated: 0 });
  });

  it('refunds what was not sent when the zone is deleted during sending', async () => {
    await insertMembers(world, sender.zone, 40);
    await startCampaign();
    await sender.owner.client.delete(`/api/zones/${sender.zone.id}`).expect(204);
    await world.testApp.drain();
    expect(await readUsedEmails(world, sender)).toBe(sink.messages.length);
    const [left, ...more] = await world.testApp
      .em()
      .execute('select status, delivered_count from campaigns where sent_by_id = ?', [sender.owner.id]);
    expect([left, more]).toEqual([{ status: expect.any(String), delivered_count: sink.messages.length }, []]);
    expect(['sent', 'cancelled']).toContain(left!.status);
    process.stdout.write(
      `the zone is deleted: ${sink.messages.length} sent, ${await readUsedEmails(world, sender)} charged\n`,
    );
  });

  it('deletes a zone at once even if its campaign ends during that', async () => {
    await insertMembers(world, sender.zone, 4);
    const id = await startCampaign();
    await sender.owner.client.delete(`/api/zones/${sender.zone.id}`).expect(204);
    const sql = `update campaigns set status = 'sent', sent_at = now() where id = $1`;
    const purger = world.testApp.app.get(ZonePurger, { strict: false });
    await whileTransactionOpen(world, { sql, values: [id] }, () => purger.purgeZone({ zoneId: sender.zone.id }));
    expect(await world.testApp.em().execute('select 1 from zones where id = ?', [sender.zone.id])).toEqual([]);
    await world.testApp.drain();
  });

  it('sends several campaigns without one blocking another', async () => {
    const others = [sender, await createSender(world), await createSender(world)];
    sink.messages.length = 0;
    const all = await Promise.all(others.map(({ zone }) => insertMembers(world, zone, 40)));
    for (const other of others) {
      const id = await createDraft(other);
      await other.owner.client.post(`/api/campaigns/${id}/send`).expect(200);
    }
    await world.testApp.drain();
    expect(sink.recipients.sort()).toEqual(all.flat().sort());
  });
});
