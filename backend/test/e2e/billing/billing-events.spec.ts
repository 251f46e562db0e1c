import { Buffer } from 'node:buffer';
import { describeInProcess } from '../../support/world.js';
import { BillingWorld } from './billing-world.js';

describeInProcess('Single Stripe events', () => {
  let billing: BillingWorld;
  beforeAll(async () => {
    billing = await BillingWorld.open();
  });
  afterAll(() => billing.close());

  const listEvents = () => billing.query('select type, outcome from stripe_events order by received_at');

  it('refresh the subscription, whatever their type', async () => {
    const actor = await billing.registerSubscriber('creator');
    const { id, customer } = actor.subscription;
    const kinds = [
      'checkout.session.completed',
      'customer.subscription.created',
      'customer.subscription.updated',
      'customer.subscription.deleted',
      'customer.subscription.paused',
      'customer.subscription.resumed',
      'invoice.paid',
      'invoice.payment_failed',
      'invoice.payment_action_required',
    ];
    for (const [index, kind] of kinds.entries()) {
      const [price, plan] = index % 2 ? ['price_creator_month', 'creator'] : ['price_starter_month', 'starter'];
      billing.account.getSubscription(id).items.data[0]!.price.id = price;
      await billing.deliverEvents([billing.account.emitEvent(kind, { id: 'object_1', customer })]);
      expect([kind, (await billing.readSubscriptionStatus(actor)).plan]).toEqual([kind, plan]);
    }
    billing.account.cancelSubscription(id);
    await billing.deliverEvents([billing.account.emitEvent('customer.deleted', { id: customer })]);
    expect((await billing.readSubscriptionStatus(actor)).plan).toBe('free');
  });

  it('are stored together with their job or not at all, so that Stripe redelivers', async () => {
    const actor = await billing.registerSubscriber('creator');
    billing.account.cancelSubscription(actor.subscription.id);
    const [event] = billing.account.events.splice(0);
    const before = await listEvents();
    await billing.query(
      `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'no room'; end $$`,
    );
    await billing.query('create trigger refuse before insert on jobs for each row execute function refuse()');
    expect(await billing.stripe.deliverEvent(billing.world.url, event!)).toBe(500);
    expect(await listEvents()).toEqual(before);
    await billing.query('drop trigger refuse on jobs');
    await billing.deliverEvents([event!]);
    expect(await listEvents()).toHaveLength(before.length + 1);
    expect((await billing.readSubscriptionStatus(actor)).plan).toBe('free');
  });

  it('keep the plan of an old price and grant none for a foreign price', async () => {
    const actor = await billing.registerSubscriber('pro-creator');
    const subscription = billing.account.getSubscription(actor.subscription.id);
    const setPrice = async (price: string, bought: string) => {
      subscription.metadata.priceId = bought;
      billing.account.changePrice(subscription.id, price);
      await billing.deliverEvents();
      return (await billing.readSubscriptionStatus(actor)).plan;
    };
    expect(await setPrice('price_of_last_year', 'price_of_last_year')).toBe('pro-creator');
    expect(await setPrice('price_of_a_sticker', 'price_of_last_year')).toBe('free');
    expect(await setPrice('price_pro_year', 'price_of_last_year')).toBe('pro-creator');
  });

  it('are parsed from the signed bytes, whatever they contain', async () => {
    const actor = await billing.registerSubscriber('creator');
    billing.account.cancelSubscription(actor.subscription.id);
    const event = billing.account.events.at(-1)!;
    const { body, headers } = billing.stripe.signEvent({ ...event, note: 'İstanbul \u0000 "é"', constructor: 'x' });
    const response = await fetch(`${billing.world.url}/api/webhooks/stripe`, {
      method: 'POST',
      headers,
      body: Buffer.from(body),
    });
    expect(response.status).toBe(200);
    await billing.world.testApp.drain();
    expect((await billing.readSubscriptionStatus(actor)).plan).toBe('free');
  });
});
