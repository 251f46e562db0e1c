import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { sql } from 'kysely';
import { after, Clock, MINUTE } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { recordFailure } from '../../../platform/errors/record-failure.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { Jobs } from '../../../platform/jobs/jobs.service.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { EntitlementRows } from '../entitlements/entitlement-rows.service.js';
import { EntitlementService } from '../entitlements/entitlement.service.js';
import { EntitlementSchema } from '../entities/entitlement.entity.js';
import { IntegrationWebhookSchema, type WebhookStatus } from '../entities/integration-webhook.entity.js';
import { ProductMappingSchema } from '../entities/product-mapping.entity.js';
import type { OutcomeCode } from '../integrations.errors.js';
import { IntegrationInfoService } from '../oversight/integration-info.service.js';
import type { Effect, News } from '../shared/news.js';
import { columnsOf } from '../shared/shown-columns.js';
import { StripeCustomerService } from '../entitlements/stripe-customer.service.js';
import { processWebhook, tellPurchase } from '../integrations.jobs.js';
import { OrderTroubles } from '../troubles/order-troubles.service.js';
import { readDelivery } from './read-delivery.js';
import { Malformed, type Customer, type Demand, type Item, type Reading, type Shown } from '../shared/reading.js';
import type { Source } from '../shared/sources.js';

type Tables = typeof IntegrationWebhookSchema | typeof EntitlementSchema | typeof ProductMappingSchema;

/** How far the clock of a sender may be ahead of ours, in milliseconds. */
const AHEAD = 5 * MINUTE;

/** What is known of a delivery after it was processed. */
interface Result {
  readonly status: WebhookStatus;
  readonly code: OutcomeCode | null;
  /** The field of the body that the code is about. */
  readonly field?: string | null;
  readonly shown?: Shown;
  readonly effects?: readonly (Effect & { zoneId: number })[];
  /** What was asked for, when that could be read. */
  readonly asked?: Asked;
}

/** A thing bought, and a zone that it opens. */
interface Target {
  readonly externalId: string;
  readonly zoneId: number;
}

interface Asked {
  readonly kind: Demand['kind'];
  readonly zoneIds: readonly number[];
}

/** Does what deliveries ask for. Doing the same one again does nothing more. */
@Injectable()
export class WebhookProcessingService {
  private readonly logger = new Logger('Integrations');

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly config: AppConfig,
    private readonly entitlements: EntitlementService,
    private readonly rows: EntitlementRows,
    private readonly infos: IntegrationInfoService,
    private readonly jobs: Jobs,
    private readonly stripeCustomers: StripeCustomerService,
    private readonly troubles: OrderTroubles,
  ) {}

  /** Processes a stored delivery, unless that has been done, and notes in it what came of it. */
  async process(webhookId: number): Promise<void> {
    const webhook = await query<Tables>(this.em)
      .selectFrom('integration_webhooks')
      .select(['source', 'webhook_data', 'created_at as arrivedAt'])
      .where('id', '=', webhookId)
      .where('status', '=', 'pending')
      .executeTakeFirst();
    if (!webhook) return;
    if (!webhook.webhook_data) return this.note(webhookId, bodyGone);
    const reading = this.read(webhook.source, Buffer.from(webhook.webhook_data));
    const result =
      reading instanceof Malformed
        ? unreadable(reading)
        : await this.act(webhookId, webhook.source, inTime(reading, new Date(webhook.arrivedAt)));
    await this.note(webhookId, result);
  }

  /**
   * Processes a delivery. A fault of ours in the last try is recorded in it, with whom to notify; when that cannot be
   * recorded, the bare state is, so that no delivery stays pending with nothing under way.
   */
  @OnJob(processWebhook)
  async processJob({ webhookId }: { webhookId: number }, { isLastAttempt }: JobContext): Promise<void> {
    try {
      await this.process(webhookId);
    } catch (error) {
      if (isLastAttempt) await this.recordFault(webhookId);
      throw error;
    }
  }

  private async recordFault(webhookId: number): Promise<void> {
    const failure = { status: 'failed', code: 'INTERNAL' } as const;
    let isRecorded = false;
    const facts = { webhookId };
    const recordAll = async () => {
      await this.note(webhookId, { ...failure, ...(await this.askedBy(webhookId)) });
      isRecorded = true;
    };
    await recordFailure(this.logger, 'a failed webhook and whom to notify', recordAll, facts);
    if (isRecorded) return;
    const recordState = () => this.noteState(this.em.fork(), webhookId, failure);
    await recordFailure(this.logger, 'the state of a failed webhook', recordState, facts);
  }

  /** What a delivery asks for, as far as it can be told of one that made our own code fail. */
  private async askedBy(webhookId: number): Promise<{ asked?: Asked }> {
    const webhook = await query<Tables>(this.em)
      .selectFrom('integration_webhooks')
      .select(['source', 'webhook_data'])
      .where('id', '=', webhookId)
      .executeTakeFirst();
    if (!webhook?.webhook_data) return {};
    const reading = this.read(webhook.source, Buffer.from(webhook.webhook_data));
    if (reading instanceof Malformed || !reading.demand) return {};
    return { asked: await this.asked(webhook.source, reading.demand) };
  }

  private async asked(source: Source, demand: Demand): Promise<Asked> {
    const targets = await this.targets(source, demand);
    return { kind: demand.kind, zoneIds: targets.map(({ zoneId }) => zoneId) };
  }

  private read(source: Source, body: Buffer): Reading | Malformed {
    try {
      return readDelivery[source](body);
    } catch (error) {
      if (error instanceof Malformed) return error;
      throw error;
    }
  }

  private async act(webhookId: number, source: Source, { shown, demand, note, field }: ReadInTime): Promise<Result> {
    if (!demand) return { status: 'completed', code: note, field: field ?? null, shown };
    if (
      demand.kind === 'grant' &&
      source === 'stripe-acedumy' &&
      this.infos.isForAnotherProduct(demand.priceIds ?? [])
    ) {
      return { status: 'completed', code: 'OTHER_PRICE', shown };
    }
    const customer = demand.customer ?? (await this.stripeCustomers.find(source, shown.customerId ?? null));
    if (demand.kind === 'grant' && !customer) {
      const asked = await this.asked(source, demand);
      return { status: 'failed', code: 'NO_EMAIL', field: demand.emailField, shown, asked };
    }
    const known = customer ? { ...shown, customerEmail: customer.email } : shown;
    const { purchaseId, occurredAt, finality } = demand;
    const about = { source, purchaseId, occurredAt, finality, webhookId };
    if (demand.kind === 'revoke') await this.entitlements.noteEnd(about);
    const targets = await this.targets(source, demand);
    if (demand.kind === 'review') return { shown: known, ...(await this.review(about, targets, note)) };
    if (targets.length === 0) {
      const asked = { kind: demand.kind, zoneIds: [] };
      if (source === 'woocommerce') {
        return { status: 'completed', code: note ?? 'NO_MAPPED_PRODUCT', shown: known, asked };
      }
      return { status: 'failed', code: 'ZONE_NOT_CONFIGURED', shown: known, asked };
    }
    const effects: (Effect & { zoneId: number })[] = [];
    for (const target of targets) {
      effects.push({ zoneId: target.zoneId, ...(await this.apply({ ...about, ...target }, demand, customer)) });
    }
    // The one zone of the premium service was named by hand and is mended there; a product's other zones open anyway.
    const passesOver = source === 'woocommerce' || demand.kind === 'revoke';
    const asked = { kind: demand.kind, zoneIds: targets.map(({ zoneId }) => zoneId) };
    return { ...judge(effects, note, passesOver), shown: known, effects, asked };
  }

  /** Nothing is changed where nothing is open: an order that was never paid may wait for its payment, or be deleted. */
  private async review(
    about: Omit<News, 'externalId' | 'zoneId'>,
    targets: readonly Target[],
    note: OutcomeCode | null,
  ): Promise<Result> {
    const effects: (Effect & { zoneId: number })[] = [];
    for (const target of targets) {
      effects.push({ zoneId: target.zoneId, ...(await this.entitlements.review({ ...about, ...target })) });
    }
    const open = effects.filter(({ outcome }) => outcome === 'reviewed');
    return { status: 'completed', code: open.length > 0 ? note : 'NOTHING_TO_DO', effects: open };
  }

  private apply(news: News, demand: Demand, customer: Customer | null): Promise<Effect> {
    if (demand.kind === 'revoke') return this.entitlements.revoke(news);
    return this.entitlements.grant(news, customer!);
  }

  /**
   * What was bought and the zones that it opens. What is taken back is taken back wherever the purchase gave it, also for
   * a line that the order does not hold any more.
   */
  private async targets(source: Source, { kind, purchaseId, items }: Demand): Promise<Target[]> {
    const given = kind === 'grant' ? [] : await this.rows.given(this.em, source, purchaseId);
    if (kind === 'review') return given;
    const opened = source === 'woocommerce' ? await this.mapped(items) : this.fixed(items);
    const all = [...given, ...opened];
    return all.filter(
      (one, index) => all.findIndex((it) => it.externalId === one.externalId && it.zoneId === one.zoneId) === index,
    );
  }

  private fixed(items: readonly Item[]): Target[] {
    const { premiumZoneId } = this.config.integrations;
    return premiumZoneId === null ? [] : items.map(({ externalId }) => ({ externalId, zoneId: premiumZoneId }));
  }

  private async mapped(items: readonly Item[]): Promise<Target[]> {
    const productIds = items.flatMap(({ productId }) => productId ?? []);
    if (productIds.length === 0) return [];
    const rows = await query<Tables>(this.em)
      .selectFrom('woocommerce_product_mappings')
      .select(['product_id', 'zone_id'])
      .where('product_id', 'in', productIds)
      .where('is_active', '=', true)
      .orderBy('id')
      .execute();
    return items.flatMap(({ externalId, productId }) =>
      rows.filter((row) => row.product_id === productId).map((row) => ({ externalId, zoneId: row.zone_id })),
    );
  }

  private async note(id: number, result: Result): Promise<void> {
    await inTransaction(this.em, async (em) => {
      await this.noteState(em, id, result);
      await this.tell(em, id);
      await this.noteTrouble(em, id, result);
    });
  }

  private async noteState(em: EntityManager, id: number, result: Result): Promise<void> {
    const { status, code, field, shown, effects = [] } = result;
    const joined = effects.some((effect) => effect.joined);
    const first = effects.find(({ outcome }) => outcome !== 'zone-gone');
    await query<Tables>(em)
      .updateTable('integration_webhooks')
      .set({
        status,
        error_code: code,
        error_field: field ?? null,
        processed_at: this.clock.now(),
        membership_created: sql<boolean>`membership_created or ${joined}`,
        ...(first ? { zone_id: first.zoneId, user_id: first.userId } : {}),
        ...(shown ? columnsOf(shown) : {}),
      })
      .where('id', '=', id)
      .execute();
  }

  /** Who can do something about it is told of what was paid and is not open. */
  private async noteTrouble(em: EntityManager, webhookId: number, { status, code, asked, effects = [] }: Result) {
    const isPaid = asked?.kind === 'grant' && code !== 'NO_EMAIL';
    if (status === 'pending') {
      const zoneIds = effects.filter(({ outcome }) => outcome === 'waiting').map(({ zoneId }) => zoneId);
      return this.troubles.note(em, { webhookId, kind: 'waiting', zoneIds, isPaid });
    }
    if (status === 'failed') {
      const open = effects.filter(({ outcome }) => outcome !== 'zone-gone').map(({ zoneId }) => zoneId);
      const zoneIds = (asked?.zoneIds ?? []).filter((zoneId) => !open.includes(zoneId));
      return this.troubles.note(em, {
        webhookId,
        kind: 'failed',
        zoneIds: zoneIds.length > 0 ? zoneIds : [null],
        isPaid,
      });
    }
    const undecided = effects.filter(({ outcome }) => isUndecided(outcome, code)).map(({ zoneId }) => zoneId);
    if (undecided.length > 0) {
      return this.troubles.note(em, { webhookId, kind: 'decide', zoneIds: undecided, isPaid: false });
    }
    // Another delivery of the purchase waits; and one that asks for nothing says nothing of the others.
    if (code === 'WAITS_ALREADY') return;
    if (asked) await this.troubles.resolve(em, webhookId, { isOlder: code === 'SUPERSEDED' });
    else await this.troubles.resolveDelivery(em, webhookId);
  }

  /** After all zones of the delivery are open, so that one mail tells of them; also of what a try before opened. */
  private async tell(em: EntityManager, webhookId: number): Promise<void> {
    const untold = await query<Tables>(em)
      .selectFrom('entitlements')
      .select('user_id as userId')
      .distinct()
      .where('webhook_id', '=', webhookId)
      .where('is_notice_due', '=', true)
      .where('notice_job_id', 'is', null)
      .where('user_id', 'is not', null)
      .execute();
    await this.jobs.enqueueMany(
      em,
      tellPurchase,
      untold.map(({ userId }) => ({ userId: userId! })),
    );
  }
}

const unreadable = ({ code, field, shown }: Malformed): Result => ({ status: 'failed', code, field, shown });
/** Its customer has deleted the account while it waited. */
const bodyGone: Result = { status: 'completed', code: 'NOTHING_TO_DO' };

/** Whether a person has to decide about a zone that a purchase has opened: which part was refunded is not told. */
const isUndecided = (outcome: Effect['outcome'], code: OutcomeCode | null): boolean =>
  outcome === 'reviewed' || (code === 'PARTIAL_REFUND' && (outcome === 'granted' || outcome === 'kept'));

/**
 * The state of a delivery by the worst of its effects.
 * @param passesOver whether a zone that is gone is only told of
 */
function judge(
  effects: readonly Effect[],
  note: OutcomeCode | null,
  passesOver: boolean,
): { status: WebhookStatus; code: OutcomeCode | null } {
  const some = (outcome: Effect['outcome']) => effects.some((effect) => effect.outcome === outcome);
  if (some('waiting')) return { status: 'pending', code: 'ZONE_FULL' };
  if (some('zone-gone') && !passesOver) return { status: 'failed', code: 'ZONE_GONE' };
  if (some('awaited')) return { status: 'completed', code: 'WAITS_ALREADY' };
  if (some('withheld')) return { status: 'completed', code: 'WITHHELD' };
  if (some('zone-gone')) return { status: 'completed', code: note ?? 'ZONE_PASSED_OVER' };
  if (effects.every(({ outcome }) => outcome === 'superseded')) return { status: 'completed', code: 'SUPERSEDED' };
  return { status: 'completed', code: note };
}

/** A reading of which it is known when it took place. */
type ReadInTime = Omit<Reading, 'demand'> & { readonly demand: (Demand & { occurredAt: Date }) | null };

/**
 * News that does not say when, or is said to come from the future, took place when it arrived: otherwise no later news
 * of the same purchase would ever count.
 */
function inTime({ demand, ...reading }: Reading, arrivedAt: Date): ReadInTime {
  if (!demand) return { ...reading, demand };
  const { occurredAt } = demand;
  const isKnown = occurredAt !== null && occurredAt <= after(arrivedAt, AHEAD);
  return { ...reading, demand: { ...demand, occurredAt: isKnown ? occurredAt : arrivedAt } };
}
