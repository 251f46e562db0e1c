import { whileTransactionOpen } from '../../support/while-transaction-open.js';
import { registerUser, type Actor } from '../../support/people/actors.js';
import { sendWebhook, buildOrder } from '../../support/webhook-deliveries.js';
import { describeInProcess } from '../../support/world.js';
import { ADD_MODE, toCsv, postImport } from '../zones/import-helpers.js';
import { joinByLink, createLink } from '../links/link-helpers.js';
import { createNumber, Shop } from './shop.js';

describeInProcess('Purchase by a removed or blocked user', () => {
  let shop: Shop;
  let zone: Awaited<ReturnType<Shop['createZone']>>;
  let buyer: Actor;
  let product: number;

  beforeAll(async () => {
    shop = await Shop.open();
  });
  beforeEach(async () => {
    [zone, buyer, product] = [await shop.createZone(), await registerUser(shop.world), createNumber()];
    await shop.mapProduct(product, zone);
  });
  afterAll(() => shop.world.close());

  const path = (rest: string) => `/api/zones/${zone.id}${rest}`;
  const joinAll = async (actors: readonly Actor[]) => {
    const link = await createLink({ owner: zone.owner, zone });
    for (const { client, email } of actors) await joinByLink(client, link, email).expect(200);
  };
  const remove = ({ id }: Actor) => zone.owner.client.delete(path(`/members/${id}`)).expect(204);
  const block = ({ id }: Actor) => zone.owner.client.post(path('/blocks')).send({ userId: id });
  const buy = (email = buyer.email, id = createNumber()) => shop.sendOrder({ id, email, products: [product] });
  const isBlocked = async ({ id }: Actor) =>
    (await shop.query('select 1 from zone_blocks where zone_id = ? and user_id = ?', [zone.id, id])).length === 1;
  const readMembershipState = async (actor: Actor) => [await shop.isMember(zone, actor.email), await isBlocked(actor)];
  const notifications = async () =>
    (await shop.world.listEmails(zone.owner.email)).filter(({ subject }) => subject.startsWith('Someone you blocked'));

  it('adds a removed user without notifying the owner', async () => {
    await joinAll([buyer]);
    await remove(buyer);
    await buy();
    expect(await readMembershipState(buyer)).toEqual([true, false]);
    expect(await notifications()).toEqual([]);
    const link = await createLink({ owner: zone.owner, zone });
    await buyer.client.post(path('/leave')).send({}).expect(200);
    expect((await joinByLink(buyer.client, link, buyer.email).expect(200)).body.requiresApproval).toBe(false);
  });

  it('adds a blocked user, lifts the block and notifies the owner once', async () => {
    await joinAll([buyer]);
    await block(buyer).expect(204);
    const id = createNumber();
    for (let times = 0; times < 2; times++) await buy(buyer.email, id);
    expect(await readMembershipState(buyer)).toEqual([true, false]);
    const mails = await notifications();
    expect(mails).toHaveLength(1);
    expect(mails[0]!.text).toContain(buyer.email);
    expect(mails[0]!.text).toContain(`/zones/${zone.id}`);
  });

  it('waits for a block in progress and adds the member afterwards', async () => {
    const change = {
      sql: `do $$ begin perform pg_advisory_xact_lock(hashtextextended('kept-out:${zone.id}:${buyer.id}', 0));
        insert into zone_blocks (zone_id, user_id, blocked_at) values (${zone.id}, ${buyer.id}, now()); end $$`,
    };
    await whileTransactionOpen(shop.world, change, () => buy());
    expect(await readMembershipState(buyer)).toEqual([true, false]);
    expect(await notifications()).toHaveLength(1);
  });

  it('leaves every user either a member or blocked when concurrent with blocks', async () => {
    const people = [
      buyer,
      await registerUser(shop.world),
      await registerUser(shop.world),
      await registerUser(shop.world),
    ];
    await joinAll(people);
    for (const person of people) await remove(person);
    const bodies = people.map(({ email }) => buildOrder({ id: createNumber(), email, products: [product] }));
    for (const body of bodies) await sendWebhook.woocommerce(shop.world, body).expect(200);
    const blocks = people.map((person) => block(person).expect(204));
    await Promise.all([...blocks, shop.world.testApp.drain(), shop.world.testApp.drain()]);
    for (const person of people) {
      const [isIn, blocked] = await readMembershipState(person);
      expect(isIn).toBe(!blocked);
    }
  });

  it('waits for a block in progress, as does an import', async () => {
    const change = {
      sql: `do $$ begin perform pg_advisory_xact_lock(hashtextextended('kept-out-many:${zone.id}', 0));
        insert into zone_blocks (zone_id, user_id, blocked_at) values (${zone.id}, ${buyer.id}, now()); end $$`,
    };
    await whileTransactionOpen(shop.world, change, () =>
      postImport(zone.owner.client, zone, toCsv([buyer.email]), ADD_MODE).expect(200),
    );
    expect(await readMembershipState(buyer)).toEqual([true, false]);
  });
});
