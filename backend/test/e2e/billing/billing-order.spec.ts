import fc from 'fast-check';
import { SubscriptionSyncService } from '../../../src/modules/billing/subscriptions/subscription-sync.service.js';
import { uniqueName } from '../../support/people/actors.js';
import type { FakeEvent, FakeStripeAccount, FakeSubscription } from '../../support/fakes/fake-stripe-account.js';
import { describeInProcess } from '../../support/world.js';
import { BillingWorld } from './billing-world.js';
import { fullOrShort } from '../../support/full-or-short.js';

const RUNS = fullOrShort(120, 30);

/** Plan and number of allowed zones by price. */
const PLANS: Record<string, { plan: string; zones: number }> = {
  price_starter_month: { plan: 'starter', zones: 5 },
  price_creator_year: { plan: 'creator', zones: 15 },
  price_pro_month: { plan: 'pro-creator', zones: 100 },
};
const prices = Object.keys(PLANS);

/** Events in the life of a subscription; some are only possible in some states. */
type Action = (account: FakeStripeAccount, subscription: FakeSubscription, n: number) => void;
const actions: Record<string, Action> = {
  renew: (account, { id }) => account.renewSubscription(id),
  fail: (account, { id }) => account.failPayment(id),
  settle: (account, { id }) => account.payLatestInvoice(id),
  giveUp: (account, { id }) => account.updateSubscription(id, { status: 'unpaid' }),
  pause: (account, { id }) => account.updateSubscription(id, { status: 'paused' }, 'customer.subscription.paused'),
  resume: (account, { id }) => account.updateSubscription(id, { status: 'active' }, 'customer.subscription.resumed'),
  cancelLater: (account, { id }) => account.updateSubscription(id, { cancel_at_period_end: true }),
  keep: (account, { id }) => account.updateSubscription(id, { cancel_at_period_end: false }),
  change: (account, { id }, n) => account.changePrice(id, prices[n % prices.length]!),
  end: (account, { id }) => account.cancelSubscription(id),
};

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ deed: fc.constantFrom(...Object.keys(actions)), n: fc.nat(5) }) },
  // Delivers some of the events so far, possibly again, in any order and concurrently.
  { weight: 3, arbitrary: fc.record({ deliver: fc.array(fc.nat(30), { minLength: 1, maxLength: 6 }) }) },
  { weight: 2, arbitrary: fc.record({ work: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 2, arbitrary: fc.record({ slow: fc.integer({ min: 1, max: 25 }) }) },
  { weight: 1, arbitrary: fc.constant({ down: true as const }) },
);
const scenario = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 14 }),
  order: fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
});

describeInProcess('Subscription state for events in any order', () => {
  let billing: BillingWorld;
  beforeAll(async () => {
    billing = await BillingWorld.open();
  });
  afterAll(() => billing.close());

  const processEvents = (times: number) =>
    Promise.all(Array.from({ length: times }, () => billing.drainToleratingFailures()));
  const post = (events: FakeEvent[]) =>
    Promise.all(events.map((event) => billing.stripe.deliverEvent(billing.world.url, event)));

  /** A customer with an account here. */
  const createCustomer = async () => {
    const email = `${uniqueName('order')}@example.com`;
    const customer = billing.account.addCustomer({ email });
    const [row] = await billing.query<{ id: string }>(
      `insert into users (email, stripe_customer_id, created_at, updated_at) values (?, ?, now(), now()) returning id`,
      [email, customer.id],
    );
    return { userId: Number(row!.id), customer: customer.id };
  };

  const findActiveSubscription = (customer: string) =>
    billing.account.listSubscriptions(customer).find(({ status }) => status !== 'canceled');

  /** Creates a subscription if none is active; all other actions need an active subscription. */
  const act = (customer: string, action: string, n: number) => {
    const present = findActiveSubscription(customer);
    if (present) actions[action]!(billing.account, present, n);
    else billing.account.createSubscription(customer, prices[n % prices.length]!);
  };

  const expected = (customer: string) => {
    const subscription = findActiveSubscription(customer) ?? billing.account.listSubscriptions(customer)[0];
    const works = subscription && ['active', 'past_due'].includes(subscription.status);
    const { plan, zones } = works ? PLANS[subscription.items.data[0]!.price.id]! : { plan: 'free', zones: 1 };
    return {
      plan,
      zones: subscription ? zones : undefined,
      status: subscription?.status ?? 'active',
      subscription: subscription?.id ?? null,
      ends: subscription?.cancel_at_period_end ?? false,
      period: subscription ? periodEnd(subscription) : null,
    };
  };
  const periodEnd = (subscription: FakeSubscription) => subscription.items.data[0]!.current_period_end;

  const readSubscription = async (userId: number) => {
    const [row] = await billing.query<Record<string, never>>(
      `select u.plan, u.subscription_status as status, u.stripe_subscription_id as subscription,
         coalesce(b.cancel_at_period_end, false) as ends, extract(epoch from b.current_period_end)::int as period,
         (select allowed::int from usage where owner_id = u.id and metric = 'zones') as zones
       from users u left join billing_accounts b on b.user_id = u.id where u.id = ?`,
      [userId],
    );
    return { ...row, zones: row!.zones ?? undefined };
  };

  it(`equals Stripe’s own state in the end (${RUNS} stories)`, async () => {
    const seen = { stories: 0, steps: 0, deliveries: 0, plans: new Set<string>() };
    await fc.assert(
      fc.asyncProperty(scenario, async ({ steps, order }) => {
        const { userId, customer } = await createCustomer();
        billing.account.events.length = 0;
        for (const step of steps) {
          if ('deed' in step) act(customer, step.deed, step.n);
          if ('deliver' in step) {
            const events = step.deliver.flatMap((at) => billing.account.events[at % 30] ?? []);
            seen.deliveries += events.length;
            await post(events);
          }
          if ('work' in step) await processEvents(step.work);
          if ('slow' in step) billing.stripe.injectFault(/^GET/, { delayMs: step.slow }, 1);
          if ('down' in step) billing.stripe.injectFault(/./, { status: 400 }, 2);
        }
        billing.stripe.clearFaults();
        const all = [...billing.account.events, ...billing.account.events];
        const keys = new Map(all.map((event) => [event, order.next().value as number]));
        const shuffled = all.sort((a, b) => keys.get(a)! - keys.get(b)!);
        seen.deliveries += shuffled.length;
        await post(shuffled);
        billing.world.testApp.clock.advance(60_000);
        await processEvents(3);
        const end = expected(customer);
        expect(await readSubscription(userId)).toEqual(end);
        seen.stories++;
        seen.steps += steps.length;
        seen.plans.add(`${end.plan} ${end.status}`);
      }),
      { numRuns: RUNS, interruptAfterTimeLimit: 240_000, markInterruptAsFailure: true },
    );
    const kinds = [...seen.plans].sort().join(', ');
    process.stdout.write(
      `${seen.stories} stories, ${seen.steps} steps, ${seen.deliveries} deliveries; ends: ${kinds}\n`,
    );
    expect(seen.plans.size).toBeGreaterThan(5);
  }, 300_000);

  it('ignores a response that arrives after that of a later request', async () => {
    const { userId, customer } = await createCustomer();
    const { id } = billing.account.createSubscription(customer, 'price_creator_year');
    const { app } = billing.world.testApp;
    const before = billing.stripe.calls.length;
    billing.stripe.injectFault(/^GET \/v1\/subscriptions/, 'held', 1);
    const first = app.get(SubscriptionSyncService).refreshSubscription(userId);
    while (billing.stripe.calls.length < before + 2) await new Promise((resolve) => setTimeout(resolve, 5));
    billing.account.cancelSubscription(id);
    await app.get(SubscriptionSyncService).refreshSubscription(userId);
    billing.stripe.releaseHeldResponses();
    await first;
    expect(await readSubscription(userId)).toMatchObject({ plan: 'free', status: 'canceled' });
  });
});
