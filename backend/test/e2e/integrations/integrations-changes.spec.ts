import { WebhookProcessingService } from '../../../src/modules/integrations/webhooks/webhook-processing.service.js';
import { reauthenticateByEmail, registerUser } from '../../support/people/actors.js';
import { sendWebhook, buildOrder } from '../../support/webhook-deliveries.js';
import { describeInProcess } from '../../support/world.js';
import { LATER, LATEST, uniqueBuyerEmail, createNumber, readTemporaryPassword, Shop } from './shop.js';

describeInProcess('an order that changes', () => {
  let shop: Shop;
  let zone: Awaited<ReturnType<Shop['createZone']>>;
  let product: number;
  let id: number;
  let email: string;

  beforeAll(async () => {
    shop = await Shop.open();
  });
  beforeEach(async () => {
    zone = await shop.createZone();
    product = createNumber();
    id = createNumber();
    email = uniqueBuyerEmail();
    await shop.mapProduct(product, zone);
  });
  afterAll(() => shop.world.close());

  const completed = (more: object = {}) => shop.sendOrder({ id, email, products: [product], ...more });

  describe('its address', () => {
    it('opens the zone to the one whom it names now, and a refund takes it back from that one', async () => {
      const other = uniqueBuyerEmail();
      await completed();
      await completed({ email: other, modified: LATER });
      expect([await shop.isMember(zone, email), await shop.isMember(zone, other)]).toEqual([false, true]);
      expect((await shop.searchLog(other))[0]).toMatchObject({ status: 'completed', membershipCreated: true });
      const [first] = await shop.searchLog(email);
      await shop.replayWebhook(first!);
      expect(await shop.isMember(zone, email)).toBe(false);
      await completed({ email: other, status: 'refunded', modified: LATEST });
      expect(await shop.isMember(zone, other)).toBe(false);
    });

    it('leaves the zone to the one before who bought it once more', async () => {
      await completed();
      await shop.sendOrder({ id: createNumber(), email, products: [product] });
      await completed({ email: uniqueBuyerEmail(), modified: LATER });
      expect(await shop.isMember(zone, email)).toBe(true);
    });

    it('is the same in other letters', async () => {
      const reader = await registerUser(shop.world);
      await completed({ email: reader.email.toUpperCase() });
      await completed({ email: ` ${reader.email} `, modified: LATER });
      expect(await shop.isMember(zone, reader.email)).toBe(true);
      const [newer, older] = await shop.searchLog(reader.email);
      expect([newer!.membershipCreated, older!.membershipCreated]).toEqual([false, true]);
      expect(await shop.world.listEmails(reader.email)).toHaveLength(1);
    });
  });

  describe('after an admin took it back', () => {
    beforeEach(async () => {
      await completed();
      const [one] = await shop.listEntitlements(email);
      await shop.revokeEntitlement(one!).expect(204);
    });

    it('is not given again by a later change of the order', async () => {
      await completed({ modified: LATER });
      expect(await shop.isMember(zone, email)).toBe(false);
      expect((await shop.searchLog(email))[0]).toMatchObject({ status: 'completed', errorCode: 'WITHHELD' });
      await shop.revokeEntitlement((await shop.listEntitlements(email))[0]!).expect(204);
      expect((await shop.listEntitlements(email))[0]).toMatchObject({ state: 'revoked', canBeGivenBack: true });
    });

    it('is given back by an admin, once, and the customer is told', async () => {
      const [one] = await shop.listEntitlements(email);
      const answers = await Promise.all([1, 2, 3].map(() => shop.restoreEntitlement(one!)));
      expect(answers.map(({ status }) => status)).toEqual([204, 204, 204]);
      await shop.world.testApp.drain();
      expect(await shop.isMember(zone, email)).toBe(true);
      expect((await shop.listEntitlements(email))[0]).toMatchObject({ state: 'granted', canBeGivenBack: false });
      expect(await shop.world.listEmails(email)).toHaveLength(2);
      const told = await shop.query(`select type from audit_log where subject_id = ? order by id`, [
        (await shop.query('select id from users where email = ?', [email]))[0]!.id,
      ]);
      expect(told.filter(({ type }) => type === 'purchase.restored')).toHaveLength(1);
    });

    it('cannot be given back while the zone is full, and says so', async () => {
      await shop.exhaustPeopleLimit(zone);
      const { body } = await shop.restoreEntitlement((await shop.listEntitlements(email))[0]!).expect(403);
      expect(body.code).toBe('ZONE_FULL');
      expect((await shop.listEntitlements(email))[0]).toMatchObject({ state: 'revoked', canBeGivenBack: true });
    });

    it('is given again when the shop itself ended it and the order is paid anew', async () => {
      await completed({ status: 'refunded', modified: LATER });
      const { body } = await shop.restoreEntitlement((await shop.listEntitlements(email))[0]!).expect(409);
      expect(body.code).toBe('ENTITLEMENT_ENDED');
      await completed({ modified: LATEST });
      expect(await shop.isMember(zone, email)).toBe(true);
    });
  });

  describe('refunded', () => {
    it('stays closed when its product is mapped only then and older news is replayed', async () => {
      await shop.unmapProduct(product);
      await completed();
      await completed({ status: 'refunded', modified: LATER });
      const before = (await shop.searchLog(email)).map(({ errorCode }) => errorCode);
      expect(before).toEqual(['NO_MAPPED_PRODUCT', 'NO_MAPPED_PRODUCT']);
      await shop.mapProduct(product, zone);
      for (const row of await shop.searchLog(email)) await shop.replayWebhook(row);
      expect(await shop.isMember(zone, email)).toBe(false);
      expect(await shop.world.listEmails(email)).toEqual([]);
      expect((await shop.searchLog(email)).map(({ errorCode }) => errorCode)).toEqual([null, 'SUPERSEDED']);
    });

    it.each([
      ['who was made an admin since', `role = 'admin'`],
      ['who came by a link as well', `join_method = 'link'`],
    ])('leaves the zone to somebody %s', async (_who, change) => {
      await completed();
      await shop.query(`update zone_members set ${change} where zone_id = ? and email = ?`, [zone.id, email]);
      await completed({ status: 'refunded', modified: LATER });
      expect(await shop.isMember(zone, email)).toBe(true);
    });

    it('is not held back for good by an admin who takes it back once more', async () => {
      await completed();
      await completed({ status: 'refunded', modified: LATER });
      await shop.revokeEntitlement((await shop.listEntitlements(email))[0]!).expect(204);
      await completed({ modified: LATEST });
      expect(await shop.isMember(zone, email)).toBe(true);
    });

    it('stays closed by its latest end, in whatever order the ends were told', async () => {
      await shop.unmapProduct(product);
      await completed({ status: 'refunded', modified: '2026-11-05T09:00:00' });
      await completed({ status: 'cancelled', modified: LATER });
      await shop.mapProduct(product, zone);
      await completed({ modified: LATEST });
      expect(await shop.isMember(zone, email)).toBe(false);
      expect((await shop.searchLog(email))[0]).toMatchObject({ errorCode: 'SUPERSEDED' });
    });

    it('is taken back where it was given, though the mapping was changed meanwhile', async () => {
      const now = await shop.createZone();
      await completed();
      await shop.unmapProduct(product);
      await shop.mapProduct(product, now);
      await completed({ status: 'refunded', modified: LATER });
      expect([await shop.isMember(zone, email), await shop.isMember(now, email)]).toEqual([false, false]);
    });

    it('is taken back though the mapping is gone, and with the lines that it does not hold any more', async () => {
      const [other, otherProduct] = [await shop.createZone(), createNumber()];
      await shop.mapProduct(otherProduct, other);
      await completed({ products: [product, otherProduct] });
      expect([await shop.isMember(zone, email), await shop.isMember(other, email)]).toEqual([true, true]);
      await shop.unmapProduct(otherProduct);
      await completed({ products: [product], status: 'refunded', modified: LATER });
      expect([await shop.isMember(zone, email), await shop.isMember(other, email)]).toEqual([false, false]);
    });

    it('makes no account for who had paid before', async () => {
      await completed({ status: 'refunded', modified: LATER });
      await completed();
      expect((await shop.searchLog(email))[0]).toMatchObject({ errorCode: 'SUPERSEDED' });
      expect(await shop.hasAccount(email)).toBe(false);
    });
  });

  describe('of several products', () => {
    it('is told of in one mail, whose password works', async () => {
      const [other, otherProduct] = [await shop.createZone(), createNumber()];
      await shop.mapProduct(otherProduct, other);
      await completed({ products: [product, otherProduct] });
      const mails = await shop.world.listEmails(email);
      expect(mails).toHaveLength(1);
      expect(mails[0]!.text).toContain(zone.name);
      expect(mails[0]!.text).toContain(other.name);
      expect(mails[0]!.subject).toMatch(/^Your access to .* and 1 more$/);
      // No mail server is configured: the email is held back.
      expect((await shop.searchLog(email))[0]).toMatchObject({ emailSent: false });
      await shop.world
        .createClient()
        .post('/api/login')
        .send({ email, password: readTemporaryPassword(mails[0]!) })
        .expect(200);
    });

    it('and a second order at once: every mailed password works until one of their own is set', async () => {
      await completed();
      const other = await shop.createZone();
      const otherProduct = createNumber();
      await shop.mapProduct(otherProduct, other);
      await shop.sendOrder({ id: createNumber(), email, products: [otherProduct] });
      const mails = await shop.world.listEmails(email);
      expect(mails).toHaveLength(2);
      for (const mail of mails) {
        await shop.world
          .createClient()
          .post('/api/login')
          .send({ email, password: readTemporaryPassword(mail) })
          .expect(200);
      }
      const client = shop.world.createClient();
      await client
        .post('/api/login')
        .send({ email, password: readTemporaryPassword(mails[0]!) })
        .expect(200);
      // Earlier sign-ins have used the account, so the temporary password alone no longer proves its ownership.
      await reauthenticateByEmail(shop.world, client, email);
      const profile = { email, firstName: 'Nur', lastName: 'Ak', username: `nur_${id}`, newPassword: 'blue heron 42' };
      await client.post('/api/complete-profile').send(profile).expect(200);
      for (const mail of mails) {
        await shop.world
          .createClient()
          .post('/api/login')
          .send({ email, password: readTemporaryPassword(mail) })
          .expect(401);
      }
    });
  });

  it('opens nothing by a mapping that is switched off', async () => {
    await shop.query('update woocommerce_product_mappings set is_active = false where zone_id = ?', [zone.id]);
    await completed();
    expect((await shop.searchLog(email))[0]).toMatchObject({ errorCode: 'NO_MAPPED_PRODUCT' });
  });

  it('lets somebody in who is shut out, and writes to them no more', async () => {
    const reader = await registerUser(shop.world);
    const before = await shop.world.listEmails(reader.email);
    await shop.query('update users set deactivated_at = now() where id = ?', [reader.id]);
    await completed({ email: reader.email });
    expect((await shop.searchLog(reader.email))[0]).toMatchObject({ membershipCreated: true, emailSent: false });
    expect(await shop.world.listEmails(reader.email)).toHaveLength(before.length);
  });

  it('says nothing of a zone that is deleted meanwhile, and does not claim to have', async () => {
    await sendWebhook
      .woocommerce(shop.world, buildOrder({ id, email, products: [product] }))
      .expect(200, { received: true });
    const [delivery] = await shop.searchLog(email);
    await shop.world.testApp.app.get(WebhookProcessingService).processWebhook(delivery!.id);
    await shop.query('update zones set deleted_at = now() where id = ?', [zone.id]);
    await shop.world.testApp.drain();
    expect((await shop.searchLog(email))[0]).toMatchObject({ membershipCreated: true, emailSent: false });
    expect(await shop.world.listEmails(email)).toHaveLength(0);
  });

  it('that fails on our side again and again is said to have failed, and a replay repairs it', async () => {
    const processing = shop.world.testApp.app.get(WebhookProcessingService);
    const broken = jest.spyOn(processing, 'processWebhook').mockRejectedValue(new Error('a fault of ours'));
    await sendWebhook.woocommerce(shop.world, buildOrder({ id, email, products: [product] })).expect(200);
    const name = 'integrations.process-webhook';
    await shop.query('update jobs set attempts = max_attempts - 1 where name = ?', [name]);
    await expect(shop.world.testApp.drain()).rejects.toThrow('a fault of ours');
    broken.mockRestore();
    expect((await shop.searchLog(email))[0]).toMatchObject({ status: 'failed', errorCode: 'INTERNAL' });
    await shop.query('delete from jobs where name = ?', [name]);
    await shop.replayWebhook((await shop.searchLog(email))[0]!);
    expect(await shop.isMember(zone, email)).toBe(true);
  });

  it('of a time that cannot be is named as unreadable, and not tried again', async () => {
    for (const modified of ['+275760-09-13T00:00:00', '1900-01-01T00:00:00']) {
      await shop.sendOrder({ ...buildOrder({ id, email, products: [product] }), date_modified_gmt: modified });
      const { body } = await shop.admin.client.get('/api/woocommerce/webhook-logs?perPage=1').expect(200);
      expect(body[0]).toMatchObject({ status: 'failed', errorCode: 'WRONG_FIELD', errorField: 'date_modified_gmt' });
    }
    const tried = `select 1 from jobs where name = 'integrations.process-webhook' and state <> 'dead'`;
    expect(await shop.query(tried)).toEqual([]);
  });
});
