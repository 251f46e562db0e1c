import { IntegrationAttentionService } from '../../../src/modules/integrations/inactivity/integration-attention.service.js';
import { detectInactivity } from '../../../src/modules/integrations/integrations.jobs.js';
import { CronScheduler } from '../../../src/platform/jobs/cron/cron-scheduler.js';
import { register, type Actor } from '../../support/people/actors.js';
import { deliver, order, SECRETS } from '../../support/deliveries.js';
import { describeInProcess, World } from '../../support/world.js';

describeInProcess('a sender that falls silent', () => {
  const DAY = 24 * 60 * 60_000;
  let world: World;
  let admin: Actor;
  beforeAll(async () => {
    world = await World.open(SECRETS);
    admin = await register(world);
    await world.inside.em().execute('update users set is_super_admin = true where id = ?', [admin.id]);
  });
  afterAll(() => world.close());

  const watch = async () => {
    world.inside.clock.advance(60 * 60_000);
    await world.inside.app.get(CronScheduler).enqueueCronRun(detectInactivity, world.inside.clock.now());
    await world.inside.drain();
  };
  const sell = async (id: number) => {
    await deliver.woocommerce(world, order({ id, email: null, products: [] })).expect(200);
    await world.inside.drain();
  };
  const told = async () =>
    (await world.mails(admin.email)).filter(({ subject }) => subject.includes('No webhooks from'));
  /** Asked of the service: sessions of administrators end while the days go by. */
  const silences = () => world.inside.app.get(IntegrationAttentionService).listInactiveSenders();

  it('is told once after three times its usual interval, and again only after it has been heard of', async () => {
    for (let at = 1; at <= 7; at++) {
      await sell(at);
      world.inside.clock.advance(DAY);
    }
    await watch();
    world.inside.clock.advance(1.5 * DAY);
    await watch();
    expect(await told()).toEqual([]);
    world.inside.clock.advance(DAY);
    await watch();
    await watch();
    expect(await told()).toMatchObject([{ subject: 'No webhooks from WooCommerce for a while' }]);
    expect(await silences()).toMatchObject([{ source: 'woocommerce' }]);
    await sell(8);
    expect(await silences()).toEqual([]);
    await watch();
    expect(await told()).toHaveLength(1);
    world.inside.clock.advance(9 * DAY);
    await watch();
    expect(await told()).toHaveLength(2);
  });
});
