import { CampaignEngineService } from '../../../src/modules/campaigns/engine/campaign-engine.service.js';
import { DeliveryConfig } from '../../../src/modules/campaigns/engine/delivery.policy.js';
import { DeliveryRepository } from '../../../src/modules/campaigns/engine/delivery.repository.js';
import { HOUR } from '../../../src/platform/clock/clock.js';
import { describeInProcess, type World } from '../../support/world.js';
import {
  insertMembers,
  createDraft,
  SmtpSink,
  createSender,
  openWorldWithSink,
  readUsedEmails,
  type Sender,
} from './campaign-helpers.js';

/** Enough that results and claims are written while the owner acts. */
const RECIPIENTS = 600;
const TIMES = 3;

/** The owner's actions race with the engine, which constantly writes results of the same campaign. */
describeInProcess('Campaign being sent', () => {
  let world: World;
  let sink: SmtpSink;
  let sender: Sender;

  beforeAll(async () => {
    sink = await SmtpSink.listen();
    world = await openWorldWithSink(sink);
    sender = await createSender(world);
    await insertMembers(world, sender.zone, RECIPIENTS);
    const sql = `insert into usage (owner_id, metric, period, allowed) values (?, 'mails', ?, null)
      on conflict (owner_id, metric, period) do update set allowed = null`;
    await world.testApp.em().execute(sql, [sender.owner.id, world.testApp.clock.now().toISOString().slice(0, 7)]);
  });
  afterAll(async () => {
    await world.close();
    await sink.stop();
  });

  const post = (id: number, action: string) => sender.owner.client.post(`/api/campaigns/${id}/${action}`).send({});
  const countStates = async (id: number) => {
    const sql = `select state, count(*)::int as count from deliveries where campaign_id = ? group by state`;
    const rows = await world.testApp.em().execute<{ state: string; count: number }[]>(sql, [id]);
    return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
  };
  const waitForDeliveries = async (id: number, delivered: number) => {
    const sql = 'select delivered_count from campaigns where id = ? and delivered_count >= ?';
    while ((await world.testApp.em().execute<unknown[]>(sql, [id, delivered])).length === 0)
      await new Promise((resolve) => setTimeout(resolve, 10));
  };

  it('can be cancelled at any time without a retry error', async () => {
    for (let time = 0; time < TIMES; time++) {
      const id = await createDraft(sender);
      await post(id, 'send').expect(200);
      const sending = world.testApp.app.get(CampaignEngineService).processDueDeliveries();
      await waitForDeliveries(id, 60);
      await post(id, 'cancel').expect(200);
      await sending;
      const { delivered = 0, cancelled = 0, ...rest } = await countStates(id);
      expect(rest).toEqual({});
      expect(delivered + cancelled).toBe(RECIPIENTS);
      const [row] = await world.testApp
        .em()
        .execute('select delivered_count, cancelled_count, returned_count from campaigns where id = ?', [id]);
      expect(row).toMatchObject({ delivered_count: delivered, cancelled_count: cancelled, returned_count: cancelled });
    }
  });

  it('is refunded for the emails not sent', async () => {
    const sql = 'select sum(recipient_count - returned_count)::int as charged from campaigns where sent_by_id = ?';
    const [{ charged }] = (await world.testApp.em().execute(sql, [sender.owner.id])) as [{ charged: number }];
    expect(await readUsedEmails(world, sender)).toBe(charged);
  });

  it('is sent at once by an idle worker whose poll began before the start', async () => {
    const { app } = world.testApp;
    const engine = app.get(CampaignEngineService);
    Object.assign(app.get(DeliveryConfig), { pollInterval: 20, idlePollInterval: HOUR });
    const { promise: emptyPoll, resolve: endPoll } = Promise.withResolvers<number[]>();
    jest.spyOn(app.get(DeliveryRepository), 'findDueCampaigns').mockReturnValueOnce(emptyPoll);
    await engine.start();
    const id = await createDraft(sender);
    await post(id, 'send').expect(200);
    await engine.processDueDeliveries();
    endPoll([]);
    await waitForDeliveries(id, RECIPIENTS);
    await engine.stop();
  });
});
