import { JobRunner } from '../../../src/platform/jobs/running/job-runner.js';
import { createZone, registerUser, type Actor } from '../../support/people/actors.js';
import type { FakeEvent, FakeSubscription } from '../../support/fakes/fake-stripe-account.js';
import { FakeStripe } from '../../support/fakes/fake-stripe.js';
import { World } from '../../support/world.js';

/** The product with a fake Stripe. Events are kept in the account until the test delivers them. */
export class BillingWorld {
  private constructor(
    readonly world: World,
    readonly stripe: FakeStripe,
  ) {}

  static async open(env: Record<string, string> = {}): Promise<BillingWorld> {
    let now = () => new Date();
    const stripe = await FakeStripe.start({ now: () => now() });
    const world = await World.open({ ...stripe.env, ...env });
    now = () => world.testApp.clock.now();
    return new BillingWorld(world, stripe);
  }

  get account() {
    return this.stripe.account;
  }

  /**
   * Delivers events, by default all that have happened so far, and runs the resulting jobs; failed jobs are retried
   * later.
   */
  async deliverEvents(events: readonly FakeEvent[] = this.account.events.splice(0)): Promise<void> {
    for (const event of events) {
      const status = await this.stripe.deliverEvent(this.world.url, event);
      if (status !== 200) throw new Error(`${event.type} was answered ${status}.`);
    }
    await this.drainToleratingFailures();
  }

  /** Runs all due jobs while Stripe may be down; failed ones are retried later. */
  async drainToleratingFailures(): Promise<void> {
    await this.world.testApp.app.get(JobRunner).drain({ tolerant: true });
  }

  /**
   * Opens the checkout of a plan.
   * @returns the session's id
   */
  async startCheckout(actor: Actor, planId = 'creator', billingInterval = 'monthly'): Promise<string> {
    const { body } = await actor.client.post('/api/create-subscription').send({ planId, billingInterval }).expect(200);
    return /\/pay\/(\w+)$/.exec(body.url as string)![1]!;
  }

  /** Registers a user with a purchased plan. */
  async registerSubscriber(
    planId = 'creator',
    billingInterval = 'monthly',
  ): Promise<Actor & { subscription: FakeSubscription }> {
    const actor = await registerUser(this.world);
    const subscription = this.account.completeCheckout(await this.startCheckout(actor, planId, billingInterval));
    await this.deliverEvents();
    return { ...actor, subscription };
  }

  async readSubscriptionStatus(actor: Actor) {
    const { body } = await actor.client.get('/api/subscription-status').expect(200);
    return body as {
      plan: string;
      subscriptionStatus: string;
      subscription: Record<string, unknown> | null;
      heldBy: string | null;
      can: { upgrade: boolean; buy: string[]; manage: boolean };
    };
  }

  async readUsage(
    actor: Actor,
  ): Promise<Record<string, { used: number; allowed: number | null; warning: number | null }>> {
    const { body } = await actor.client.get('/api/user/usage').expect(200);
    return Object.fromEntries((body as { metric: string }[]).map((row) => [row.metric, row])) as never;
  }

  createZone(owner: Actor) {
    return createZone(owner);
  }

  query<T = Record<string, unknown>>(sql: string, params: unknown[] = []): Promise<T[]> {
    return this.world.testApp.em().getConnection().execute(sql, params);
  }

  async close(): Promise<void> {
    await this.world.close();
    await this.stripe.close();
  }
}
