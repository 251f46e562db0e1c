import { registerUser, type Actor } from '../../support/people/actors.js';
import { describeInProcess } from '../../support/world.js';
import { BillingWorld } from './billing-world.js';

const MINUTE = 60_000;

describeInProcess('Checkout lock', () => {
  let billing: BillingWorld;
  let actor: Actor;
  beforeAll(async () => {
    billing = await BillingWorld.open();
  });
  beforeEach(async () => {
    actor = await registerUser(billing.world);
  });
  afterEach(() => billing.stripe.clearFaults());
  afterAll(() => billing.close());

  const readLock = async () => {
    const sql = 'select checkout_token as token, checkout_until as until from billing_accounts where user_id = ?';
    const [row] = await billing.query<{ token: string | null; until: unknown }>(sql, [actor.id]);
    return row!;
  };
  /** Another window holds the checkout lock, possibly of a process that died. */
  const lockInOtherWindow = () =>
    billing.query(`update billing_accounts set checkout_token = 'other', checkout_until = ? where user_id = ?`, [
      new Date(billing.world.testApp.clock.now().getTime() + 3 * MINUTE).toISOString(),
      actor.id,
    ]);
  const requestOf = (session: string) => {
    const { metadata, status } = billing.account.getSession(session);
    return [metadata.planId, metadata.billingInterval, status];
  };

  it('does not wait longer than its lease for a dead process', async () => {
    const first = await billing.startCheckout(actor);
    await lockInOtherWindow();
    billing.world.testApp.clock.advance(3 * MINUTE);
    expect(await billing.startCheckout(actor)).toBe(first);
    expect(await readLock()).toEqual({ token: null, until: null });
  });

  it('releases only its own lease, not one taken over by another', async () => {
    await billing.startCheckout(actor);
    const before = billing.stripe.calls.length;
    billing.stripe.injectFault(/^GET \/v1\/subscriptions/, { delayMs: 300 });
    const slow = billing.startCheckout(actor).then((session) => session);
    while (billing.stripe.calls.length < before + 2) await new Promise((resolve) => setTimeout(resolve, 5));
    await lockInOtherWindow();
    await slow;
    expect((await readLock()).token).toBe('other');
  });

  it('is released when Stripe fails', async () => {
    await billing.startCheckout(actor);
    billing.stripe.injectFault(/^GET \/v1\/subscriptions/, { status: 400 });
    const requestBody = { planId: 'starter', billingInterval: 'monthly' };
    await actor.client.post('/api/create-subscription').send(requestBody).expect(503);
    expect(await readLock()).toEqual({ token: null, until: null });
  });

  it('leads to the plan and interval requested last and expires the other checkout', async () => {
    const monthly = await billing.startCheckout(actor, 'creator');
    const yearly = await billing.startCheckout(actor, 'creator', 'yearly');
    const starter = await billing.startCheckout(actor, 'starter');
    expect([monthly, yearly, starter].map(requestOf)).toEqual([
      ['creator', 'monthly', 'expired'],
      ['creator', 'yearly', 'expired'],
      ['starter', 'monthly', 'open'],
    ]);
  });

  it('replaces a checkout that expires before it can be paid', async () => {
    const first = await billing.startCheckout(actor);
    billing.world.testApp.clock.advance(54 * MINUTE);
    expect(await billing.startCheckout(actor)).toBe(first);
    billing.world.testApp.clock.advance(2 * MINUTE);
    const second = await billing.startCheckout(actor);
    expect(second).not.toBe(first);
    expect([first, second].map((session) => billing.account.getSession(session).status)).toEqual(['expired', 'open']);
  });

  it('continues when the other checkout is paid or expires while being closed', async () => {
    await billing.startCheckout(actor, 'creator');
    billing.stripe.injectFault(/\/expire$/, { status: 400 });
    expect(requestOf(await billing.startCheckout(actor, 'starter'))).toEqual(['starter', 'monthly', 'open']);
  });

  describe('while a customer is being created', () => {
    /** Requests a checkout and runs something after Stripe has created the customer, before it responds. */
    const duringCustomerCreation = async (work: () => Promise<unknown>) => {
      const customerCount = billing.account.customers.size;
      billing.stripe.injectFault(/^POST \/v1\/customers$/, 'held');
      const requestBody = { planId: 'creator', billingInterval: 'monthly' };
      const response = actor.client
        .post('/api/create-subscription')
        .send(requestBody)
        .then((one) => one);
      while (billing.account.customers.size === customerCount) await new Promise((resolve) => setTimeout(resolve, 5));
      await work();
      billing.stripe.releaseHeldResponses();
      return response;
    };
    const readCustomerId = async () => {
      const sql = 'select stripe_customer_id as id from users where id = ?';
      const [row] = await billing.query<{ id: string | null }>(sql, [actor.id]);
      return row!.id;
    };

    it('keeps the customer that was stored first', async () => {
      const first = billing.account.addCustomer({ email: actor.email });
      const { body } = await duringCustomerCreation(() =>
        billing.query('update users set stripe_customer_id = ? where id = ?', [first.id, actor.id]),
      );
      expect(await readCustomerId()).toBe(first.id);
      const session = /\/pay\/(\w+)$/.exec(body.url as string)![1]!;
      expect(billing.account.getSession(session).customer).toBe(first.id);
    });

    it('creates no customer or checkout for an account deleted meanwhile', async () => {
      const sessions = billing.account.sessions.size;
      const { status } = await duringCustomerCreation(() =>
        billing.query('update users set erased_at = now() where id = ?', [actor.id]),
      );
      expect(status).toBe(401);
      expect(await readCustomerId()).toBeNull();
      expect(billing.account.sessions.size).toBe(sessions);
    });
  });
});
