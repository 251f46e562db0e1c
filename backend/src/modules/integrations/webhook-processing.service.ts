import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../platform/clock/clock.js';
import { AppConfig } from '../../platform/config/app-config.js';
import { query } from '../../platform/database/query.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { Jobs } from '../../platform/jobs/jobs.service.js';
import { EntitlementRows } from './entitlement-rows.service.js';
import { EntitlementService } from './entitlement.service.js';
import { EntitlementSchema } from './entities/entitlement.entity.js';
import { IntegrationWebhookSchema, type WebhookStatus } from './entities/integration-webhook.entity.js';
import { ProductMappingSchema } from './entities/product-mapping.entity.js';
import type { OutcomeCode } from './integrations.errors.js';
import { IntegrationInfoService } from './integration-info.service.js';
import type { Effect, News } from './news.js';
import { readDelivery } from './read-delivery.js';
import { Malformed, type Customer, type Demand, type Item, type Reading, type Shown } from './reading.js';
import { columnsOf } from './shown-columns.js';
import { StripeCustomerService } from './stripe-customer.service.js';
import type { Source } from './sources.js';
import { tellPurchase } from './tell-purchase.job.js';

type Tables = typeof IntegrationWebhookSchema | typeof EntitlementSchema | typeof ProductMappingSchema;

/** What is known of a delivery after it was processed. */
interface Result {
  readonly status: WebhookStatus;
  readonly code: OutcomeCode | null;
  readonly shown?: Shown;
  readonly effects?: readonly (Effect & { zoneId: number })[];
}

/** Does what deliveries ask for. Doing the same one again does nothing more. */
@Injectable()
export class WebhookProcessingService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly config: AppConfig,
    private readonly entitlements: EntitlementService,
    private readonly rows: EntitlementRows,
    private readonly infos: IntegrationInfoService,
    private readonly jobs: Jobs,
    private readonly stripeCustomers: StripeCustomerService,
  ) {}

  /** Processes a stored delivery, unless that has been done, and notes in it what came of it. */
  async process(webhookId: number): Promise<void> {
    const webhook = await query<Tables>(this.em)
      .selectFrom('integration_webhooks')
      .select(['source', 'webhook_data'])
      .where('id', '=', webhookId)
      .where('status', '=', 'pending')
      .executeTakeFirst();
    if (!webhook) return;
    if (!webhook.webhook_data) return this.note(webhookId, bodyGone);
    const reading = this.read(webhook.source, Buffer.from(webhook.webhook_data));
    const result = reading ? await this.act(webhookId, webhook.source, reading) : malformed;
    await this.note(webhookId, result);
  }

  /** Notes that a delivery could not be processed for a fault of ours. */
  async fail(webhookId: number): Promise<void> {
    await this.note(webhookId, { status: 'failed', code: 'INTERNAL' });
  }

  private read(source: Source, body: Buffer): Reading | null {
    try {
      return readDelivery[source](body);
    } catch (error) {
      if (error instanceof Malformed) return null;
      throw error;
    }
  }

  private async act(webhookId: number, source: Source, { shown, demand, note }: Reading): Promise<Result> {
    if (!demand) return { status: 'completed', code: note, shown };
    if (demand.kind === 'grant' && this.infos.isForOwnPlan(demand.priceIds ?? [])) {
      return { status: 'completed', code: 'OTHER_PRICE', shown };
    }
    const customer = demand.customer ?? (await this.stripeCustomers.find(source, shown.customerId ?? null));
    if (demand.kind === 'grant' && !customer) return { status: 'failed', code: 'NO_EMAIL', shown };
    const known = customer ? { ...shown, customerEmail: customer.email } : shown;
    const { purchaseId, occurredAt, finality } = demand;
    const about = { source, purchaseId, occurredAt, finality, webhookId };
    if (demand.kind === 'revoke') await this.entitlements.noteEnd(about);
    const targets = await this.targets(source, demand);
    if (targets.length === 0) {
      if (source === 'woocommerce') return { status: 'completed', code: note ?? 'NO_MAPPED_PRODUCT', shown: known };
      return { status: 'failed', code: 'ZONE_NOT_CONFIGURED', shown: known };
    }
    const effects: (Effect & { zoneId: number })[] = [];
    for (const target of targets) {
      effects.push({ zoneId: target.zoneId, ...(await this.apply({ ...about, ...target }, demand, customer)) });
    }
    // The one zone of the premium service was named by hand and is mended there; a product's other zones open anyway.
    const passesOver = source === 'woocommerce' || demand.kind === 'revoke';
    return { ...judge(effects, note, passesOver), shown: known, effects };
  }

  private apply(news: News, demand: Demand, customer: Customer | null): Promise<Effect> {
    if (demand.kind === 'revoke') return this.entitlements.revoke(news);
    return this.entitlements.grant(news, customer!);
  }

  /**
   * What was bought and the zones that it opens. What is taken back is taken back wherever the purchase gave it, also for
   * a line that the order does not hold any more.
   */
  private async targets(
    source: Source,
    { kind, purchaseId, items }: Demand,
  ): Promise<{ externalId: string; zoneId: number }[]> {
    const given = kind === 'revoke' ? await this.rows.given(this.em, source, purchaseId) : [];
    const opened = source === 'woocommerce' ? await this.mapped(items) : this.fixed(items);
    const all = [...given, ...opened];
    return all.filter(
      (one, index) => all.findIndex((it) => it.externalId === one.externalId && it.zoneId === one.zoneId) === index,
    );
  }

  private fixed(items: readonly Item[]): { externalId: string; zoneId: number }[] {
    const { premiumZoneId } = this.config.integrations;
    return premiumZoneId === null ? [] : items.map(({ externalId }) => ({ externalId, zoneId: premiumZoneId }));
  }

  private async mapped(items: readonly Item[]): Promise<{ externalId: string; zoneId: number }[]> {
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

  private async note(id: number, { status, code, shown, effects = [] }: Result): Promise<void> {
    const joined = effects.some((effect) => effect.joined);
    const first = effects.find(({ outcome }) => outcome !== 'zone-gone');
    await inTransaction(this.em, async (em) => {
      await query<Tables>(em)
        .updateTable('integration_webhooks')
        .set({
          status,
          error_code: code,
          processed_at: this.clock.now(),
          membership_created: sql<boolean>`membership_created or ${joined}`,
          ...(first ? { zone_id: first.zoneId, user_id: first.userId } : {}),
          ...(shown ? columnsOf(shown) : {}),
        })
        .where('id', '=', id)
        .execute();
      await this.tell(em, id);
    });
  }

  /** After all zones of the delivery are open, so that one mail tells of them; also of what a try before opened. */
  private async tell(em: EntityManager, webhookId: number): Promise<void> {
    const untold = await query<Tables>(em)
      .selectFrom('entitlements')
      .select('user_id as userId')
      .distinct()
      .where('webhook_id', '=', webhookId)
      .where('is_untold', '=', true)
      .where('told_by', 'is', null)
      .where('user_id', 'is not', null)
      .execute();
    await this.jobs.enqueueMany(
      em,
      tellPurchase,
      untold.map(({ userId }) => ({ userId: userId! })),
    );
  }
}

const malformed: Result = { status: 'failed', code: 'MALFORMED' };
/** Its customer has deleted the account while it waited. */
const bodyGone: Result = { status: 'completed', code: 'NOTHING_TO_DO' };

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
