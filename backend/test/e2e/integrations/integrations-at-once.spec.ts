import { randomUUID } from 'node:crypto';
import { deliver, order, premium, SECRETS, stripeEvent } from '../../support/deliveries.js';
import { createZone, register, unique, type Actor, type TestZone } from '../../support/people/actors.js';
import { describeInProcess, World } from '../../support/world.js';
import { makeSuperAdmin } from '../admin/admin-world.js';

const CROWD = 20;
/** The first zone of a database of its own. */
const ZONE = 1;
const PRODUCT = 71;

/** One purchase, and how it is told: each call tells it once more. */
interface Purchase {
  readonly log: string;
  /** How many deliveries are kept of so many. */
  readonly kept: number;
  readonly tell: () => PromiseLike<{ status: number }>;
}

describeInProcess('a purchase that is told twenty times at once', () => {
  let world: World;
  let owner: Actor;
  let admin: Actor;
  let zone: TestZone;
  beforeAll(async () => {
    world = await World.open({
      ...SECRETS,
      ACEDUMY_ZONE_ID: String(ZONE),
      STRIPE_ACEDUMY_PRICE_MONTHLY_USD: 'price_premium_monthly_usd',
    });
    owner = await register(world);
    zone = await createZone(owner, { type: 'private' });
    expect(zone.id).toBe(ZONE);
    admin = await register(world);
    await makeSuperAdmin(world, admin);
    const mapping = { productId: String(PRODUCT), productName: 'A course', zoneId: zone.id };
    await admin.client.post('/api/woocommerce/product-mappings').send(mapping).expect(201);
  });
  afterAll(() => world.close());

  const rows = (text: string, values: unknown[]) => world.inside.em().execute<Record<string, unknown>[]>(text, values);
  const placesUsed = async () =>
    Number((await rows(`select used from usage where owner_id = ? and metric = 'people'`, [owner.id]))[0]?.used ?? 0);

  let lastOrder = 700_000;
  const ordered = (email: string) => order({ id: ++lastOrder, email, products: [PRODUCT] });

  it.each<[string, (email: string) => Purchase]>([
    [
      'the shop in one delivery',
      (email) => {
        const [body, headers] = [ordered(email), { 'X-WC-Webhook-Delivery-ID': randomUUID() }];
        return { log: 'woocommerce', kept: 1, tell: () => deliver.woocommerce(world, body, headers) };
      },
    ],
    [
      'the shop in as many deliveries',
      (email) => {
        const body = ordered(email);
        return { log: 'woocommerce', kept: CROWD, tell: () => deliver.woocommerce(world, body) };
      },
    ],
    [
      'the premium service',
      (email) => {
        const body = premium('subscription.created', email, { subscriptionId: unique('sub') });
        return { log: 'acedumy', kept: 1, tell: () => deliver.acedumy(world, body) };
      },
    ],
    [
      'Stripe',
      (email) => {
        const metadata = { email, name: 'Nur Ak' };
        const event = stripeEvent('customer.subscription.created', { id: unique('sub'), status: 'active', metadata });
        return { log: 'stripe-acedumy', kept: 1, tell: () => deliver.stripeAcedumy(world, event) };
      },
    ],
  ])('by %s makes one member, takes one place, and is told to the buyer by one mail', async (_, purchase) => {
    const email = `${unique('buyer')}@example.com`;
    const { log, kept, tell } = purchase(email);
    const before = await placesUsed();
    const answers = await Promise.all(Array.from({ length: CROWD }, () => tell()));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    await Promise.all([world.inside.drain(), world.inside.drain(), world.inside.drain()]);
    await world.inside.drain();
    expect(await rows('select join_method from zone_members where email = ?', [email])).toHaveLength(1);
    expect(await rows('select id from users where email = ?', [email])).toHaveLength(1);
    expect(await placesUsed()).toBe(before + 1);
    expect(await world.mails(email)).toHaveLength(1);
    const { body } = await admin.client.get(`/api/${log}/webhook-logs`).query({ q: email }).expect(200);
    const deliveries = body as { status: string; membershipCreated: boolean; emailSent: boolean }[];
    expect(deliveries).toHaveLength(kept);
    expect(deliveries.filter(({ membershipCreated }) => membershipCreated)).toHaveLength(1);
    expect(deliveries.every(({ status }) => status === 'completed')).toBe(true);
  });
});
