import { WebhookProcessingService } from '../../../src/modules/integrations/webhooks/webhook-processing.service.js';
import { confirmByMail, register } from '../../support/people/actors.js';
import { deliver, order } from '../../support/deliveries.js';
import { describeInProcess } from '../../support/world.js';
import { LATER, LATEST, newBuyer, newNumber, passwordIn, Shop } from './shop-world.js';

describeInProcess('an order that changes', () => {
  let shop: Shop;
  let zone: Awaited<ReturnType<Shop['zone']>>;
  let product: number;
  let id: number;
  let email: string;

  beforeAll(async () => {
    shop = await Shop.open();
  });
  beforeEach(async () => {
    zone = await shop.zone();
    product = newNumber();
    id = newNumber();
    email = newBuyer();
    await shop.map(product, zone);
  });
  afterAll(() => shop.world.close());

  const completed = (more: object = {}) => shop.send({ id, email, products: [product], ...more });

  describe('its address', () => {
    it('opens the zone to the one whom it names now, and a refund takes it back from that one', async () => {
      const other = newBuyer();
      await completed();
      await completed({ email: other, modified: LATER });
      expect([await shop.isMember(zone, email), await shop.isMember(zone, other)]).toEqual([false, true]);
      expect((await shop.log(other))[0]).toMatchObject({ status: 'completed', membershipCreated: true });
      const [first] = await shop.log(email);
      await shop.replay(first!);
      expect(await shop.isMember(zone, email)).toBe(false);
      await completed({ email: other, status: 'refunded', modified: LATEST });
      expect(await shop.isMember(zone, other)).toBe(false);
    });

    it('leaves the zone to the one before who bought it once more', async () => {
      await completed();
      await shop.send({ id: newNumber(), email, products: [product] });
      await completed({ email: newBuyer(), modified: LATER });
      expect(await shop.isMember(zone, email)).toBe(true);
    });

    it('is the same in other letters', async () => {
      const reader = await register(shop.world);
      await completed({ email: reader.email.toUpperCase() });
      await completed({ email: ` ${reader.email} `, modified: LATER });
      expect(await shop.isMember(zone, reader.email)).toBe(true);
      const [newer, older] = await shop.log(reader.email);
      expect([newer!.membershipCreated, older!.membershipCreated]).toEqual([false, true]);
      expect(await shop.world.mails(reader.email)).toHaveLength(1);
    });
  });

  describe('after an admin took it back', () => {
    beforeEach(async () => {
      await completed();
      const [one] = await shop.opened(email);
      await shop.takeBack(one!).expect(204);
    });

    it('is not given again by a later change of the order', async () => {
      await completed({ modified: LATER });
      expect(await shop.isMember(zone, email)).toBe(false);
      expect((await shop.log(email))[0]).toMatchObject({ status: 'completed', errorCode: 'WITHHELD' });
      await shop.takeBack((await shop.opened(email))[0]!).expect(204);
      expect((await shop.opened(email))[0]).toMatchObject({ state: 'revoked', canBeGivenBack: true });
    });

    it('is given back by an admin, once, and the customer is told', async () => {
      const [one] = await shop.opened(email);
      const answers = await Promise.all([1, 2, 3].map(() => shop.giveBack(one!)));
      expect(answers.map(({ status }) => status)).toEqual([204, 204, 204]);
      await shop.world.inside.drain();
      expect(await shop.isMember(zone, email)).toBe(true);
      expect((await shop.opened(email))[0]).toMatchObject({ state: 'granted', canBeGivenBack: false });
      expect(await shop.world.mails(email)).toHaveLength(2);
      const told = await shop.execute(`select type from audit_log where subject_id = ? order by id`, [
        (await shop.execute('select id from users where email = ?', [email]))[0]!.id,
      ]);
      expect(told.filter(({ type }) => type === 'purchase.restored')).toHaveLength(1);
    });

    it('cannot be given back while the zone is full, and says so', async () => {
      await shop.fill(zone);
      const { body } = await shop.giveBack((await shop.opened(email))[0]!).expect(403);
      expect(body.code).toBe('ZONE_FULL');
      expect((await shop.opened(email))[0]).toMatchObject({ state: 'revoked', canBeGivenBack: true });
    });

    it('is given again when the shop itself ended it and the order is paid anew', async () => {
      await completed({ status: 'refunded', modified: LATER });
      const { body } = await shop.giveBack((await shop.opened(email))[0]!).expect(409);
      expect(body.code).toBe('ENTITLEMENT_ENDED');
      await completed({ modified: LATEST });
      expect(await shop.isMember(zone, email)).toBe(true);
    });
  });

  describe('refunded', () => {
    it('stays closed when its product is mapped only then and older news is replayed', async () => {
      await shop.unmap(product);
      await completed();
      await completed({ status: 'refunded', modified: LATER });
      const before = (await shop.log(email)).map(({ errorCode }) => errorCode);
      expect(before).toEqual(['NO_MAPPED_PRODUCT', 'NO_MAPPED_PRODUCT']);
      await shop.map(product, zone);
      for (const row of await shop.log(email)) await shop.replay(row);
      expect(await shop.isMember(zone, email)).toBe(false);
      expect(await shop.world.mails(email)).toEqual([]);
      expect((await shop.log(email)).map(({ errorCode }) => errorCode)).toEqual([null, 'SUPERSEDED']);
    });

    it.each([
      ['who was made an admin since', `role = 'admin'`],
      ['who came by a link as well', `join_method = 'link'`],
    ])('leaves the zone to somebody %s', async (_who, change) => {
      await completed();
      await shop.execute(`update zone_members set ${change} where zone_id = ? and email = ?`, [zone.id, email]);
      await completed({ status: 'refunded', modified: LATER });
      expect(await shop.isMember(zone, email)).toBe(true);
    });

    it('is not held back for good by an admin who takes it back once more', async () => {
      await completed();
      await completed({ status: 'refunded', modified: LATER });
      await shop.takeBack((await shop.opened(email))[0]!).expect(204);
      await completed({ modified: LATEST });
      expect(await shop.isMember(zone, email)).toBe(true);
    });

    it('stays closed by its latest end, in whatever order the ends were told', async () => {
      await shop.unmap(product);
      await completed({ status: 'refunded', modified: '2026-11-05T09:00:00' });
      await completed({ status: 'cancelled', modified: LATER });
      await shop.map(product, zone);
      await completed({ modified: LATEST });
      expect(await shop.isMember(zone, email)).toBe(false);
      expect((await shop.log(email))[0]).toMatchObject({ errorCode: 'SUPERSEDED' });
    });

    it('is taken back where it was given, though the mapping was changed meanwhile', async () => {
      const now = await shop.zone();
      await completed();
      await shop.unmap(product);
      await shop.map(product, now);
      await completed({ status: 'refunded', modified: LATER });
      expect([await shop.isMember(zone, email), await shop.isMember(now, email)]).toEqual([false, false]);
    });

    it('is taken back though the mapping is gone, and with the lines that it does not hold any more', async () => {
      const [other, otherProduct] = [await shop.zone(), newNumber()];
      await shop.map(otherProduct, other);
      await completed({ products: [product, otherProduct] });
      expect([await shop.isMember(zone, email), await shop.isMember(other, email)]).toEqual([true, true]);
      await shop.unmap(otherProduct);
      await completed({ products: [product], status: 'refunded', modified: LATER });
      expect([await shop.isMember(zone, email), await shop.isMember(other, email)]).toEqual([false, false]);
    });

    it('makes no account for who had paid before', async () => {
      await completed({ status: 'refunded', modified: LATER });
      await completed();
      expect((await shop.log(email))[0]).toMatchObject({ errorCode: 'SUPERSEDED' });
      expect(await shop.hasAccount(email)).toBe(false);
    });
  });

  describe('of several products', () => {
    it('is told of in one mail, whose password works', async () => {
      const [other, otherProduct] = [await shop.zone(), newNumber()];
      await shop.map(otherProduct, other);
      await completed({ products: [product, otherProduct] });
      const mails = await shop.world.mails(email);
      expect(mails).toHaveLength(1);
      expect(mails[0]!.text).toContain(zone.name);
      expect(mails[0]!.text).toContain(other.name);
      expect(mails[0]!.subject).toMatch(/^Your access to .* and 1 more$/);
      // No mail server is set: the mail was kept and went to nobody.
      expect((await shop.log(email))[0]).toMatchObject({ emailSent: false });
      await shop.world
        .client()
        .post('/api/login')
        .send({ email, password: passwordIn(mails[0]!) })
        .expect(200);
    });

    it('and a second order at once: every mailed password works until one of their own is set', async () => {
      await completed();
      const other = await shop.zone();
      const otherProduct = newNumber();
      await shop.map(otherProduct, other);
      await shop.send({ id: newNumber(), email, products: [otherProduct] });
      const mails = await shop.world.mails(email);
      expect(mails).toHaveLength(2);
      for (const mail of mails) {
        await shop.world
          .client()
          .post('/api/login')
          .send({ email, password: passwordIn(mail) })
          .expect(200);
      }
      const client = shop.world.client();
      await client
        .post('/api/login')
        .send({ email, password: passwordIn(mails[0]!) })
        .expect(200);
      // The sign-ins before have used the account, so the temporary password alone proves it no longer.
      await confirmByMail(shop.world, client, email);
      const profile = { email, firstName: 'Nur', lastName: 'Ak', username: `nur_${id}`, newPassword: 'blue heron 42' };
      await client.post('/api/complete-profile').send(profile).expect(200);
      for (const mail of mails) {
        await shop.world
          .client()
          .post('/api/login')
          .send({ email, password: passwordIn(mail) })
          .expect(401);
      }
    });
  });

  it('opens nothing by a mapping that is switched off', async () => {
    await shop.execute('update woocommerce_product_mappings set is_active = false where zone_id = ?', [zone.id]);
    await completed();
    expect((await shop.log(email))[0]).toMatchObject({ errorCode: 'NO_MAPPED_PRODUCT' });
  });

  it('lets somebody in who is shut out, and writes to them no more', async () => {
    const reader = await register(shop.world);
    const before = await shop.world.mails(reader.email);
    await shop.execute('update users set deactivated_at = now() where id = ?', [reader.id]);
    await completed({ email: reader.email });
    expect((await shop.log(reader.email))[0]).toMatchObject({ membershipCreated: true, emailSent: false });
    expect(await shop.world.mails(reader.email)).toHaveLength(before.length);
  });

  it('says nothing of a zone that is deleted meanwhile, and does not claim to have', async () => {
    await deliver.woocommerce(shop.world, order({ id, email, products: [product] })).expect(200, { received: true });
    const [delivery] = await shop.log(email);
    await shop.world.inside.app.get(WebhookProcessingService).processWebhook(delivery!.id);
    await shop.execute('update zones set deleted_at = now() where id = ?', [zone.id]);
    await shop.world.inside.drain();
    expect((await shop.log(email))[0]).toMatchObject({ membershipCreated: true, emailSent: false });
    expect(await shop.world.mails(email)).toHaveLength(0);
  });

  it('that fails on our side again and again is said to have failed, and a replay repairs it', async () => {
    const processing = shop.world.inside.app.get(WebhookProcessingService);
    const broken = jest.spyOn(processing, 'processWebhook').mockRejectedValue(new Error('a fault of ours'));
    await deliver.woocommerce(shop.world, order({ id, email, products: [product] })).expect(200);
    const name = 'integrations.process-webhook';
    await shop.execute('update jobs set attempts = max_attempts - 1 where name = ?', [name]);
    await expect(shop.world.inside.drain()).rejects.toThrow('a fault of ours');
    broken.mockRestore();
    expect((await shop.log(email))[0]).toMatchObject({ status: 'failed', errorCode: 'INTERNAL' });
    await shop.execute('delete from jobs where name = ?', [name]);
    await shop.replay((await shop.log(email))[0]!);
    expect(await shop.isMember(zone, email)).toBe(true);
  });

  it('of a time that cannot be is named as unreadable, and not tried again', async () => {
    for (const modified of ['+275760-09-13T00:00:00', '1900-01-01T00:00:00']) {
      await shop.send({ ...order({ id, email, products: [product] }), date_modified_gmt: modified });
      const { body } = await shop.admin.client.get('/api/woocommerce/webhook-logs?perPage=1').expect(200);
      expect(body[0]).toMatchObject({ status: 'failed', errorCode: 'WRONG_FIELD', errorField: 'date_modified_gmt' });
    }
    const tried = `select 1 from jobs where name = 'integrations.process-webhook' and state <> 'dead'`;
    expect(await shop.execute(tried)).toEqual([]);
  });
});
