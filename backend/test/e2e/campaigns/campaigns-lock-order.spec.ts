import pg from 'pg';
import type { DeliveryResult } from '../../../src/modules/campaigns/engine/delivery.policy.js';
import { DeliveryRepository } from '../../../src/modules/campaigns/engine/delivery.repository.js';
import { describeInProcess, type World } from '../../support/world.js';
import {
  insertMembers,
  createDraft,
  SmtpSink,
  createSender,
  openWorldWithSink,
  type Sender,
} from './campaign-helpers.js';

const RECIPIENTS = 3;

/** Lock order: a transaction that waits for a campaign holds locks on none of its deliveries. */
describeInProcess('Campaign locked by another transaction', () => {
  let world: World;
  let sink: SmtpSink;
  let sender: Sender;
  let holder: pg.Client;
  let watcher: pg.Client;
  let campaignId: number;

  beforeAll(async () => {
    sink = await SmtpSink.listen();
    world = await openWorldWithSink(sink);
    sender = await createSender(world);
    await insertMembers(world, sender.zone, RECIPIENTS);
    [holder, watcher] = [1, 2].map(() => new pg.Client(world.testApp.connection as pg.ClientConfig)) as [
      pg.Client,
      pg.Client,
    ];
    await Promise.all([holder.connect(), watcher.connect()]);
  });
  beforeEach(async () => {
    campaignId = await createDraft(sender);
    await post('send').expect(200);
  });
  afterAll(async () => {
    await Promise.all([holder.end(), watcher.end()]);
    await world.close();
    await sink.stop();
  });

  const post = (action: string) => sender.owner.client.post(`/api/campaigns/${campaignId}/${action}`).send({});
  const listDeliveries = async (how = '') => {
    const sql = `select id from deliveries where campaign_id = ${campaignId} order by id ${how}`;
    return (await watcher.query<{ id: string }>(sql)).rows.map(({ id }) => Number(id));
  };
  const setStates = (state: string) =>
    world.testApp.em().execute(
      `with failed as (update deliveries set state = ? where campaign_id = ?)
         update campaigns set status = 'sent', failed_count = ? where id = ?`,
      [state, campaignId, RECIPIENTS, campaignId],
    );

  async function whileLocked<T>(work: () => Promise<T>): Promise<T> {
    await holder.query('begin');
    await holder.query('select 1 from campaigns where id = $1 for update', [campaignId]);
    const done = work();
    const waiting = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    while ((await watcher.query(waiting)).rowCount === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await listDeliveries('for update nowait')).toHaveLength(RECIPIENTS);
    await holder.query('rollback');
    return done;
  }

  it('is waited for by a cancellation without locking deliveries', async () => {
    expect((await whileLocked(() => post('cancel').then((response) => response))).status).toBe(200);
  });

  it('is waited for by a retry without locking deliveries', async () => {
    await setStates('failed');
    expect((await whileLocked(() => post('retry-failed').then((response) => response))).status).toBe(200);
  });

  it('is waited for by results without locking deliveries', async () => {
    const rest = { campaignId, smtpCode: 250, reason: null, bounceCause: null, runAt: world.testApp.clock.now() };
    const results = (await listDeliveries()).map((id): DeliveryResult => ({ id, state: 'delivered', ...rest }));
    const counts = await whileLocked(() =>
      world.testApp.app.get(DeliveryRepository).recordResults(campaignId, results),
    );
    expect(counts).toMatchObject({ id: campaignId, isDone: true });
  });
});
