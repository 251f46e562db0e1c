import { RequestContext } from '@mikro-orm/core';
import { Logger } from '@nestjs/common';
import { AccountErasureService } from '../../../src/modules/account/deletion/account-erasure.service.js';
import { RetentionService } from '../../../src/modules/retention/retention.service.js';
import { EmailService } from '../../../src/platform/email/email.service.js';
import { registerUser, uniqueName } from '../../support/people/actors.js';
import { buildOrder } from '../../support/webhook-deliveries.js';
import { describeInProcess } from '../../support/world.js';
import { uniqueBuyerEmail, createNumber, Shop } from '../integrations/shop.js';
import { joinByLink, createLink, createPrivateZone } from '../links/link-helpers.js';

/** Makes every write to a table fail until the returned function is called. */
async function breakTable(shop: Shop, table: string, when = 'true') {
  await shop.query(`create or replace function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'refused by the test'; end $$`);
  await shop.query(
    `create trigger refuse before insert or update on "${table}" for each row when (${when}) execute function refuse()`,
  );
  return () => shop.query(`drop trigger refuse on "${table}"`);
}

describeInProcess('Failure that cannot be recorded', () => {
  let shop: Shop;
  let repair: (() => Promise<unknown>) | null;
  let logged: jest.SpyInstance;

  beforeAll(async () => {
    shop = await Shop.open();
  });
  beforeEach(() => {
    repair = null;
    logged = jest.spyOn(Logger.prototype, 'error').mockImplementation(() => undefined);
  });
  afterEach(async () => {
    await repair?.();
    logged.mockRestore();
  });
  afterAll(() => shop.world.close());

  const logMessages = () => logged.mock.calls.map(([, text]: unknown[]) => text);

  it('still rejects a sign-in', async () => {
    const { email } = await registerUser(shop.world);
    repair = await breakTable(shop, 'security_events');
    const { body } = await shop.world
      .createClient()
      .post('/api/login')
      .send({ email, password: 'wrong one' })
      .expect(401);
    expect(body.code).toBe('INVALID_CREDENTIALS');
    expect(logMessages()).toContain("Couldn't record a rejected sign-in.");
  });

  it('still rejects a join', async () => {
    const stage = await createPrivateZone(shop.world);
    const link = await createLink(stage, { password: 'open sesame' });
    repair = await breakTable(shop, 'link_usages');
    const { body } = await joinByLink(shop.world.createClient(), link, `${uniqueName('a')}@example.com`, {
      password: 'wrong',
    });
    expect(body.code).toBe('LINK_PASSWORD_WRONG');
    expect(logMessages()).toContain("Couldn't record a rejected join.");
  });

  it('still lets a purchase wait when the owner cannot be notified', async () => {
    const [zone, email, product] = [await shop.createZone(), uniqueBuyerEmail(), createNumber()];
    await shop.mapProduct(product, zone);
    await shop.exhaustPeopleLimit(zone);
    repair = await breakTable(shop, 'jobs', `new.name = 'zones.notify-plan-limit-reached'`);
    await shop.sendOrder(buildOrder({ id: createNumber(), email, products: [product] }));
    expect((await shop.searchLog(email))[0]).toMatchObject({ status: 'pending', errorCode: 'ZONE_FULL' });
    expect(logMessages()).toContain("Couldn't record the plan limit notification for the owner.");
  });

  it('does not stop the removal of other aged data', async () => {
    const removed: string[] = [];
    const kind = (name: string, remove: () => Promise<number>) => ({
      name,
      period: 'ips' as const,
      removeBatch: remove,
    });
    repair = await breakTable(shop, 'removals', `new.kind = 'broken'`);
    const kinds = [
      kind('broken', () => Promise.reject(new Error('locked'))),
      kind('sound', () => Promise.resolve(removed.push('sound') - 1)),
    ];
    const run = shop.world.testApp.app.get(RetentionService).applyPolicies(new AbortController().signal, kinds);
    await expect(run).rejects.toThrow('broken');
    expect(removed).toEqual(['sound']);
  });

  it('keeps the original error of a farewell email', async () => {
    await shop.query(`insert into erasures (user_id, email, language, requested_at) values (987654, ?, 'en', now())`, [
      uniqueBuyerEmail(),
    ]);
    await shop.query(`create or replace function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'refused by the test'; end $$`);
    await shop.query('create trigger refuse before delete on "erasures" for each row execute function refuse()');
    repair = async () => {
      await shop.query('drop trigger refuse on "erasures"');
      await shop.query('delete from erasures where user_id = 987654');
    };
    const sending = jest
      .spyOn(shop.world.testApp.app.get(EmailService), 'send')
      .mockRejectedValueOnce(new Error('550 no such mailbox'));
    const context = { id: 1, attempt: 5, isLastAttempt: true, signal: new AbortController().signal };
    const eraser = shop.world.testApp.app.get(AccountErasureService);
    const notifyDeleted = () => eraser.notifyAccountDeleted({ userId: 987654 }, context);
    await expect(RequestContext.create(shop.world.testApp.em(), notifyDeleted)).rejects.toThrow('550 no such mailbox');
    sending.mockRestore();
  });
});
