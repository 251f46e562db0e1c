import { InactivityRepository } from '../../../src/modules/integrations/inactivity/inactivity.repository.js';
import { detectInactivity } from '../../../src/modules/integrations/integrations.jobs.js';
import { CronScheduler } from '../../../src/platform/jobs/cron/cron-scheduler.js';
import { registerUser, type Actor } from '../../support/people/actors.js';
import { sendWebhook, buildOrder, WEBHOOK_SECRETS } from '../../support/webhook-deliveries.js';
import { describeInProcess, World } from '../../support/world.js';

describeInProcess('Inactive webhook sender', () => {
  const DAY = 24 * 60 * 60_000;
  let world: World;
  let admin: Actor;
  beforeAll(async () => {
    world = await World.open(WEBHOOK_SECRETS);
    admin = await registerUser(world);
    await world.testApp.em().execute('update users set is_super_admin = true where id = ?', [admin.id]);
  });
  afterAll(() => world.close());

  const checkActivity = async () => {
    world.testApp.clock.advance(60 * 60_000);
    await world.testApp.app.get(CronScheduler).enqueueCronRun(detectInactivity, world.testApp.clock.now());
    await world.testApp.drain();
  };
  const sendOrder = async (id: number) => {
    await sendWebhook.woocommerce(world, buildOrder({ id, email: null, products: [] })).expect(200);
    await world.testApp.drain();
  };
  const notifications = async () =>
    (await world.listEmails(admin.email)).filter(({ subject }) => subject.includes('No webhooks from'));
  /** Calls the repository directly, because sessions of administrators expire as the clock advances. */
  const inactiveSenders = () => world.testApp.app.get(InactivityRepository).listInactiveSenders();

  it('is reported once after three times its usual interval, and again only after activity', async () => {
    for (let index = 1; index <= 7; index++) {
      await sendOrder(index);
      world.testApp.clock.advance(DAY);
    }
    await checkActivity();
    world.testApp.clock.advance(1.5 * DAY);
    await checkActivity();
    expect(await notifications()).toEqual([]);
    world.testApp.clock.advance(DAY);
    await checkActivity();
    await checkActivity();
    expect(await notifications()).toMatchObject([{ subject: 'No webhooks from WooCommerce for a while' }]);
    expect(await inactiveSenders()).toMatchObject([{ source: 'woocommerce' }]);
    await sendOrder(8);
    expect(await inactiveSenders()).toEqual([]);
    await checkActivity();
    expect(await notifications()).toHaveLength(1);
    world.testApp.clock.advance(9 * DAY);
    await checkActivity();
    expect(await notifications()).toHaveLength(2);
  });
});
