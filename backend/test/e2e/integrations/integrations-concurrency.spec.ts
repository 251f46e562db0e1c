import { randomUUID } from 'node:crypto';
import {
  sendWebhook,
  buildOrder,
  buildPremiumEvent,
  WEBHOOK_SECRETS,
  buildStripeEvent,
} from '../../support/webhook-deliveries.js';
import { createZone, registerUser, uniqueName, type Actor, type TestZone } from '../../support/people/actors.js';
import { describeInProcess, World } from '../../support/world.js';
import { makeSuperAdmin } from '../admin/staff-helpers.js';

const CROWD = 20;
/** Id of the first zone in a new database. */
const ZONE = 1;
const PRODUCT = 71;

/** A purchase and its webhook; each call delivers it again. */
interface Purchase {
  readonly log: string;
  /** Number of deliveries kept out of several identical ones. */
  readonly listStored: number;
  readonly notify: () => PromiseLike<{ status: number }>;
}

describeInProcess('Purchase reported twenty times concurrently', () => {
  let world: World;
  let owner: Actor;
  let admin: Actor;
  let zone: TestZone;
  beforeAll(async () => {
    world = await World.open({
      ...WEBHOOK_SECRETS,
      ACEDUMY_ZONE_ID: String(ZONE),
      STRIPE_ACEDUMY_PRICE_MONTHLY_USD: 'price_premium_monthly_usd',
    });
    owner = await registerUser(world);
    zone = await createZone(owner, { type: 'private' });
    expect(zone.id).toBe(ZONE);
    admin = await registerUser(world);
    await makeSuperAdmin(world, admin);
    const mapping = { productId: String(PRODUCT), productName: 'A course', zoneId: zone.id };
    await admin.client.post('/api/woocommerce/product-mappings').send(mapping).expect(201);
  });
  afterAll(() => world.close());

  const rows = (text: string, values: unknown[]) => world.testApp.em().execute<Record<string, unknown>[]>(text, values);
  const readUsedPeople = async () =>
    Number((await rows(`select used from usage where owner_id = ? and metric = 'people'`, [owner.id]))[0]?.used ?? 0);

  let lastOrder = 700_000;
  const buildNextOrder = (email: string) => buildOrder({ id: ++lastOrder, email, products: [PRODUCT] });

  it.each<[string, (email: string) => Purchase]>([
    [
      'the shop in one delivery',
      (email) => {
        const [body, headers] = [buildNextOrder(email), { 'X-WC-Webhook-Delivery-ID': randomUUID() }];
        return { log: 'woocommerce', listStored: 1, notify: () => sendWebhook.woocommerce(world, body, headers) };
      },
    ],
    [
      'the shop in as many deliveries',
      (email) => {
        const body = buildNextOrder(email);
        return { log: 'woocommerce', listStored: CROWD, notify: () => sendWebhook.woocommerce(world, body) };
      },
    ],
    [
      'the premium service',
      (email) => {
        const body = buildPremiumEvent('subscription.created', email, { subscriptionId: uniqueName('sub') });
        return { log: 'acedumy', listStored: 1, notify: () => sendWebhook.acedumy(world, body) };
      },
    ],
    [
      'Stripe',
      (email) => {
        const metadata = { email, name: 'Nur Ak' };
        const event = buildStripeEvent('customer.subscription.created', {
          id: uniqueName('sub'),
          status: 'active',
          metadata,
        });
        return { log: 'stripe-acedumy', listStored: 1, notify: () => sendWebhook.stripeAcedumy(world, event) };
      },
    ],
  ])('creates one membership and sends one email: reported by %s', async (_, purchase) => {
    const email = `${uniqueName('buyer')}@example.com`;
    const { log, listStored, notify } = purchase(email);
    const before = await readUsedPeople();
    const responses = await Promise.all(Array.from({ length: CROWD }, () => notify()));
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
    await Promise.all([world.testApp.drain(), world.testApp.drain(), world.testApp.drain()]);
    await world.testApp.drain();
    expect(await rows('select join_method from zone_members where email = ?', [email])).toHaveLength(1);
    expect(await rows('select id from users where email = ?', [email])).toHaveLength(1);
    expect(await readUsedPeople()).toBe(before + 1);
    expect(await world.listEmails(email)).toHaveLength(1);
    const { body } = await admin.client.get(`/api/${log}/webhook-logs`).query({ q: email }).expect(200);
    const deliveries = body as { status: string; membershipCreated: boolean; emailSent: boolean }[];
    expect(deliveries).toHaveLength(listStored);
    expect(deliveries.filter(({ membershipCreated }) => membershipCreated)).toHaveLength(1);
    expect(deliveries.every(({ status }) => status === 'completed')).toBe(true);
  });
});
