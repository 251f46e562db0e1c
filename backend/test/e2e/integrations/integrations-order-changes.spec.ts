import { WebhookProcessingService } from '../../../src/modules/integrations/webhooks/webhook-processing.service.js';
import { reauthenticateByEmail, registerUser } from '../../support/people/actors.js';
import { sendWebhook, buildOrder } from '../../support/webhook-deliveries.js';
import { describeInProcess } from '../../support/world.js';
import { LATER, LATEST, uniqueBuyerEmail, createNumber, readTemporaryPassword, Shop } from './shop.js';

describeInProcess('Order that changes', () => {
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

  const sendCompleted = (more: object = {}) => shop.sendOrder({ id, email, products: [product], ...more });

  describe('with a new address', () => {
    it('moves access to the new address, and a refund revokes it there', async () => {
      const other = uniqueBuyerEmail();
      await sendCompleted();
      await sendCompleted({ email: other, modified: LATER });
      expect([await shop.isMember(zone, email), await shop.isMember(zone, other)]).toEqual([false, true]);
      expect((await shop.searchLog(other))[0]).toMatchObject({ status: 'completed', membershipCreated: true });
      const [first] = await shop.searchLog(email);
      await shop.replayWebhook(first!);
      expect(await shop.isMember(zone, email)).toBe(false);
      await sendCompleted({ email: other, status: 'refunded', modified: LATEST });
      expect(await shop.isMember(zone, other)).toBe(false);
    });

    it('keeps access for the previous customer who bought again', async () => {
      await sendCompleted();
      await shop.sendOrder({ id: createNumber(), email, products: [product] });
      await sendCompleted({ email: uniqueBuyerEmail(), modified: LATER });
      expect(await shop.isMember(zone, email)).toBe(true);
    });

    it('treats an address in different case as the same', async () => {
      const member = await registerUser(shop.world);
      await sendCompleted({ email: member.email.toUpperCase() });
      await sendCompleted({ email: ` ${member.email} `, modified: LATER });
      expect(await shop.isMember(zone, member.email)).toBe(true);
      const [newer, older] = await shop.searchLog(member.email);
      expect([newer!.membershipCreated, older!.membershipCreated]).toEqual([false, true]);
      expect(await shop.world.listEmails(member.email)).toHaveLength(1);
    });
  });

  describe('after revocation by an admin', () => {
    beforeEach(async () => {
      await sendCompleted();
      const [entitlement] = await shop.listEntitlements(email);
      await shop.revokeEntitlement(entitlement!).expect(204);
    });

    it('is not granted again by a later change of the order', async () => {
      await sendCompleted({ modified: LATER });
      expect(await shop.isMember(zone, email)).toBe(false);
      expect((await shop.searchLog(email))[0]).toMatchObject({ status: 'completed', errorCode: 'WITHHELD' });
      await shop.revokeEntitlement((await shop.listEntitlements(email))[0]!).expect(204);
      expect((await shop.listEntitlements(email))[0]).toMatchObject({ state: 'revoked', canBeGivenBack: true });
    });

    it('is restored by an admin once, and the customer is notified', async () => {
      const [entitlement] = await shop.listEntitlements(email);
      const responses = await Promise.all([1, 2, 3].map(() => shop.restoreEntitlement(entitlement!)));
      expect(responses.map(({ status }) => status)).toEqual([204, 204, 204]);
      await shop.world.testApp.drain();
      expect(await shop.isMember(zone, email)).toBe(true);
      expect((await shop.listEntitlements(email))[0]).toMatchObject({ state: 'granted', canBeGivenBack: false });
      expect(await shop.world.listEmails(email)).toHaveLength(2);
      const auditTypes = await shop.query(`select type from audit_log where subject_id = ? order by id`, [
        (await shop.query('select id from users where email = ?', [email]))[0]!.id,
      ]);
      expect(auditTypes.filter(({ type }) => type === 'purchase.restored')).toHaveLength(1);
    });

    it('cannot be restored while the zone is full', async () => {
      await shop.exhaustPeopleLimit(zone);
      const { body } = await shop.restoreEntitlement((await shop.listEntitlements(email))[0]!).expect(403);
      expect(body.code).toBe('ZONE_FULL');
      expect((await shop.listEntitlements(email))[0]).toMatchObject({ state: 'revoked', canBeGivenBack: true });
    });

    it('is granted again when the shop cancelled it and the order is paid again', async () => {
      await sendCompleted({ status: 'refunded', modified: LATER });
      const { body } = await shop.restoreEntitlement((await shop.listEntitlements(email))[0]!).expect(409);
      expect(body.code).toBe('ENTITLEMENT_ENDED');
      await sendCompleted({ modified: LATEST });
      expect(await shop.isMember(zone, email)).toBe(true);
    });
  });

  describe('after a refund', () => {
    it('grants no access if mapped later and older webhooks are replayed', async () => {
      await shop.unmapProduct(product);
      await sendCompleted();
      await sendCompleted({ status: 'refunded', modified: LATER });
      const before = (await shop.searchLog(email)).map(({ errorCode }) => errorCode);
      expect(before).toEqual(['NO_MAPPED_PRODUCT', 'NO_MAPPED_PRODUCT']);
      await shop.mapProduct(product, zone);
      for (const row of await shop.searchLog(email)) await shop.replayWebhook(row);
      expect(await shop.isMember(zone, email)).toBe(false);
      expect(await shop.world.listEmails(email)).toEqual([]);
      expect((await shop.searchLog(email)).map(({ errorCode }) => errorCode)).toEqual([null, 'SUPERSEDED']);
    });

    it.each([
      ['who became an admin since', `role = 'admin'`],
      ['who also joined by a link', `join_method = 'link'`],
    ])('keeps access for a customer %s', async (_who, change) => {
      await sendCompleted();
      await shop.query(`update zone_members set ${change} where zone_id = ? and email = ?`, [zone.id, email]);
      await sendCompleted({ status: 'refunded', modified: LATER });
      expect(await shop.isMember(zone, email)).toBe(true);
    });

    it('is not blocked permanently by a further revocation by an admin', async () => {
      await sendCompleted();
      await sendCompleted({ status: 'refunded', modified: LATER });
      await shop.revokeEntitlement((await shop.listEntitlements(email))[0]!).expect(204);
      await sendCompleted({ modified: LATEST });
      expect(await shop.isMember(zone, email)).toBe(true);
    });

    it('grants no access after the latest cancellation, whatever the order of delivery', async () => {
      await shop.unmapProduct(product);
      await sendCompleted({ status: 'refunded', modified: '2026-11-05T09:00:00' });
      await sendCompleted({ status: 'cancelled', modified: LATER });
      await shop.mapProduct(product, zone);
      await sendCompleted({ modified: LATEST });
      expect(await shop.isMember(zone, email)).toBe(false);
      expect((await shop.searchLog(email))[0]).toMatchObject({ errorCode: 'SUPERSEDED' });
    });

    it('revokes access where it was granted, even if the mapping has changed', async () => {
      const now = await shop.createZone();
      await sendCompleted();
      await shop.unmapProduct(product);
      await shop.mapProduct(product, now);
      await sendCompleted({ status: 'refunded', modified: LATER });
      expect([await shop.isMember(zone, email), await shop.isMember(now, email)]).toEqual([false, false]);
    });

    it('revokes access for deleted mappings and for lines no longer in the order', async () => {
      const [other, otherProduct] = [await shop.createZone(), createNumber()];
      await shop.mapProduct(otherProduct, other);
      await sendCompleted({ products: [product, otherProduct] });
      expect([await shop.isMember(zone, email), await shop.isMember(other, email)]).toEqual([true, true]);
      await shop.unmapProduct(otherProduct);
      await sendCompleted({ products: [product], status: 'refunded', modified: LATER });
      expect([await shop.isMember(zone, email), await shop.isMember(other, email)]).toEqual([false, false]);
    });

    it('creates no account for an earlier payment delivered later', async () => {
      await sendCompleted({ status: 'refunded', modified: LATER });
      await sendCompleted();
      expect((await shop.searchLog(email))[0]).toMatchObject({ errorCode: 'SUPERSEDED' });
      expect(await shop.hasAccount(email)).toBe(false);
    });
  });

  describe('with several products', () => {
    it('sends one email, whose password works', async () => {
      const [other, otherProduct] = [await shop.createZone(), createNumber()];
      await shop.mapProduct(otherProduct, other);
      await sendCompleted({ products: [product, otherProduct] });
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

    it('sends a second password for a concurrent order; both are valid until the user sets one', async () => {
      await sendCompleted();
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

  it('grants nothing by a disabled mapping', async () => {
    await shop.query('update woocommerce_product_mappings set is_active = false where zone_id = ?', [zone.id]);
    await sendCompleted();
    expect((await shop.searchLog(email))[0]).toMatchObject({ errorCode: 'NO_MAPPED_PRODUCT' });
  });

  it('adds a deactivated user without sending an email', async () => {
    const member = await registerUser(shop.world);
    const before = await shop.world.listEmails(member.email);
    await shop.query('update users set deactivated_at = now() where id = ?', [member.id]);
    await sendCompleted({ email: member.email });
    expect((await shop.searchLog(member.email))[0]).toMatchObject({ membershipCreated: true, emailSent: false });
    expect(await shop.world.listEmails(member.email)).toHaveLength(before.length);
  });

  it('sends no email for a zone deleted meanwhile and does not claim otherwise', async () => {
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

  it('is marked as failed after repeated internal errors, and a replay repairs it', async () => {
    const processing = shop.world.testApp.app.get(WebhookProcessingService);
    const failingWebhook = jest.spyOn(processing, 'processWebhook').mockRejectedValue(new Error('a fault of ours'));
    await sendWebhook.woocommerce(shop.world, buildOrder({ id, email, products: [product] })).expect(200);
    const name = 'integrations.process-webhook';
    await shop.query('update jobs set attempts = max_attempts - 1 where name = ?', [name]);
    await expect(shop.world.testApp.drain()).rejects.toThrow('a fault of ours');
    failingWebhook.mockRestore();
    expect((await shop.searchLog(email))[0]).toMatchObject({ status: 'failed', errorCode: 'INTERNAL' });
    await shop.query('delete from jobs where name = ?', [name]);
    await shop.replayWebhook((await shop.searchLog(email))[0]!);
    expect(await shop.isMember(zone, email)).toBe(true);
  });

  it('is reported as unreadable and not retried if its date is impossible', async () => {
    for (const modified of ['+275760-09-13T00:00:00', '1900-01-01T00:00:00']) {
      await shop.sendOrder({ ...buildOrder({ id, email, products: [product] }), date_modified_gmt: modified });
      const { body } = await shop.admin.client.get('/api/woocommerce/webhook-logs?perPage=1').expect(200);
      expect(body[0]).toMatchObject({ status: 'failed', errorCode: 'WRONG_FIELD', errorField: 'date_modified_gmt' });
    }
    const tried = `select 1 from jobs where name = 'integrations.process-webhook' and state <> 'dead'`;
    expect(await shop.query(tried)).toEqual([]);
  });
});
