import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { addMilliseconds, MINUTE } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { recordFailure } from '../../../platform/errors/record-failure.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { EntitlementRepository } from '../entitlements/entitlement.repository.js';
import { EntitlementService } from '../entitlements/entitlement.service.js';
import type { WebhookStatus } from '../entities/integration-webhook.entity.js';
import type { OutcomeCode } from '../integrations.errors.js';
import { IntegrationInfoService } from '../admin/integration-info.service.js';
import { ProductMappingRepository } from '../admin/product-mapping.repository.js';
import type { ApplyResult, PurchaseEvent } from '../shared/purchase-event.js';
import { StripeCustomerLookupService } from '../entitlements/stripe-customer-lookup.service.js';
import { processWebhook, notifyPurchase } from '../integrations.jobs.js';
import { OrderIssueRepository } from '../failed-orders/order-issue.repository.js';
import { OrderIssueService } from '../failed-orders/order-issue.service.js';
import { deliveryParsers } from './delivery-parsers.js';
import { WebhookRepository } from './webhook.repository.js';
import {
  PayloadError,
  type Customer,
  type EntitlementCommand,
  type PurchaseItem,
  type ParsedDelivery,
  type LogFields,
} from '../shared/payload-fields.js';
import type { WebhookSource } from '../shared/sources.js';

/** How far a sender's clock may be ahead of ours, in milliseconds. */
const MAX_CLOCK_SKEW = 5 * MINUTE;

/** The result of processing a delivery. */
interface ProcessingResult {
  readonly status: WebhookStatus;
  readonly code: OutcomeCode | null;
  /** The field of the body that the code refers to. */
  readonly field?: string | null;
  readonly shown?: LogFields;
  readonly effects?: readonly (ApplyResult & { zoneId: number })[];
  /** What was requested, if it could be read. */
  readonly requested?: RequestedAction;
}

/** A purchased item, and a zone to which it gives access. */
interface PurchaseTarget {
  readonly externalId: string;
  readonly zoneId: number;
}

interface RequestedAction {
  readonly kind: EntitlementCommand['kind'];
  readonly zoneIds: readonly number[];
}

/** Processes deliveries. Processing is idempotent. */
@Injectable()
export class WebhookProcessingService {
  private readonly logger = new Logger('Integrations');

  constructor(
    private readonly em: EntityManager,
    private readonly webhooks: WebhookRepository,
    private readonly config: AppConfig,
    private readonly entitlements: EntitlementService,
    private readonly entitlementRepository: EntitlementRepository,
    private readonly mappings: ProductMappingRepository,
    private readonly integrationInfo: IntegrationInfoService,
    private readonly jobs: JobsService,
    private readonly stripeCustomerLookup: StripeCustomerLookupService,
    private readonly orderIssues: OrderIssueService,
    private readonly orderIssueRepository: OrderIssueRepository,
  ) {}

  /** Processes a stored delivery, unless that was already done, and records the result. */
  async processWebhook(webhookId: number): Promise<void> {
    const webhook = await this.webhooks.findWebhook(webhookId);
    if (webhook?.status !== 'pending') return;
    const { source, body, arrivedAt } = webhook;
    if (!body) return this.recordResult(webhookId, bodyDeletedResult);
    const parsed = this.parseDelivery(source, body);
    const result =
      parsed instanceof PayloadError
        ? toUnreadableResult(parsed)
        : await this.executeCommand(webhookId, source, withOccurrenceTime(parsed, arrivedAt));
    await this.recordResult(webhookId, result);
  }

  /**
   * Processes a delivery. If the last attempt fails because of a bug of ours, records the failure and notifies those
   * concerned. If even that fails, only the status is recorded, so that no delivery stays pending forever.
   */
  @OnJob(processWebhook)
  async handleProcessWebhookJob({ webhookId }: { webhookId: number }, { isLastAttempt }: JobContext): Promise<void> {
    try {
      await this.processWebhook(webhookId);
    } catch (error) {
      if (isLastAttempt) await this.recordInternalFailure(webhookId);
      throw error;
    }
  }

  private async recordInternalFailure(webhookId: number): Promise<void> {
    const failure = { status: 'failed', code: 'INTERNAL' } as const;
    let isRecorded = false;
    const facts = { webhookId };
    const recordAll = async () => {
      await this.recordResult(webhookId, { ...failure, ...(await this.readRequestedAction(webhookId)) });
      isRecorded = true;
    };
    await recordFailure(this.logger, 'a failed webhook and whom to notify', recordAll, facts);
    if (isRecorded) return;
    const recordState = () => this.updateWebhook(this.em.fork(), webhookId, failure);
    await recordFailure(this.logger, 'the state of a failed webhook', recordState, facts);
  }

  /** Reads what a delivery requests, as far as possible, after our own code failed. */
  private async readRequestedAction(webhookId: number): Promise<{ requested?: RequestedAction }> {
    const webhook = await this.webhooks.findWebhook(webhookId);
    if (!webhook?.body) return {};
    const parsed = this.parseDelivery(webhook.source, webhook.body);
    if (parsed instanceof PayloadError || !parsed.demand) return {};
    return { requested: await this.toRequestedAction(webhook.source, parsed.demand) };
  }

  private async toRequestedAction(source: WebhookSource, command: EntitlementCommand): Promise<RequestedAction> {
    const targets = await this.findTargets(source, command);
    return { kind: command.kind, zoneIds: targets.map(({ zoneId }) => zoneId) };
  }

  private parseDelivery(source: WebhookSource, body: Buffer): ParsedDelivery | PayloadError {
    try {
      return deliveryParsers[source](body);
    } catch (error) {
      if (error instanceof PayloadError) return error;
      throw error;
    }
  }

  private async executeCommand(
    webhookId: number,
    source: WebhookSource,
    { shown, demand, note, field }: TimedDelivery,
  ): Promise<ProcessingResult> {
    if (!demand) return { status: 'completed', code: note, field: field ?? null, shown };
    if (
      demand.kind === 'grant' &&
      source === 'stripe-acedumy' &&
      this.integrationInfo.isForAnotherProduct(demand.priceIds ?? [])
    ) {
      return { status: 'completed', code: 'OTHER_PRICE', shown };
    }
    const customer =
      demand.customer ?? (await this.stripeCustomerLookup.findCustomer(source, shown.customerId ?? null));
    if (demand.kind === 'grant' && !customer) {
      const requested = await this.toRequestedAction(source, demand);
      return { status: 'failed', code: 'NO_EMAIL', field: demand.emailField, shown, requested };
    }
    const known = customer ? { ...shown, customerEmail: customer.email } : shown;
    const { purchaseId, occurredAt, finality } = demand;
    const eventBase = { source, purchaseId, occurredAt, finality, webhookId };
    if (demand.kind === 'revoke') await this.entitlements.recordPurchaseEnd(eventBase);
    const targets = await this.findTargets(source, demand);
    if (demand.kind === 'review') return { shown: known, ...(await this.markForReview(eventBase, targets, note)) };
    if (targets.length === 0) {
      const requested = { kind: demand.kind, zoneIds: [] };
      if (source === 'woocommerce') {
        return { status: 'completed', code: note ?? 'NO_MAPPED_PRODUCT', shown: known, requested };
      }
      return { status: 'failed', code: 'ZONE_NOT_CONFIGURED', shown: known, requested };
    }
    const results: (ApplyResult & { zoneId: number })[] = [];
    for (const target of targets) {
      results.push({
        zoneId: target.zoneId,
        ...(await this.applyEvent({ ...eventBase, ...target }, demand, customer)),
      });
    }
    // The premium service's zone is configured manually, so a deleted one is an error to fix there. A product's other
    // zones still give access.
    const skipsDeletedZones = source === 'woocommerce' || demand.kind === 'revoke';
    const requested = { kind: demand.kind, zoneIds: targets.map(({ zoneId }) => zoneId) };
    return { ...summarizeResults(results, note, skipsDeletedZones), shown: known, effects: results, requested };
  }

  /**
   * Changes nothing where there is no access: an order that was never paid may be waiting for payment, or be deleted.
   */
  private async markForReview(
    eventBase: Omit<PurchaseEvent, 'externalId' | 'zoneId'>,
    targets: readonly PurchaseTarget[],
    note: OutcomeCode | null,
  ): Promise<ProcessingResult> {
    const results: (ApplyResult & { zoneId: number })[] = [];
    for (const target of targets) {
      results.push({ zoneId: target.zoneId, ...(await this.entitlements.markForReview({ ...eventBase, ...target })) });
    }
    const reviewed = results.filter(({ outcome }) => outcome === 'reviewed');
    return { status: 'completed', code: reviewed.length > 0 ? note : 'NOTHING_TO_DO', effects: reviewed };
  }

  private applyEvent(
    event: PurchaseEvent,
    command: EntitlementCommand,
    customer: Customer | null,
  ): Promise<ApplyResult> {
    if (command.kind === 'revoke') return this.entitlements.revokeEntitlement(event);
    return this.entitlements.grantEntitlement(event, customer!);
  }

  /**
   * Returns the purchased items and their zones. Revoking applies wherever the purchase gave access, also for lines
   * that are no longer part of the order.
   */
  private async findTargets(
    source: WebhookSource,
    { kind, purchaseId, items }: EntitlementCommand,
  ): Promise<PurchaseTarget[]> {
    const existing =
      kind === 'grant' ? [] : await this.entitlementRepository.listPurchaseTargets(this.em, source, purchaseId);
    if (kind === 'review') return existing;
    const session = source === 'woocommerce' ? await this.findMappedTargets(items) : this.toPremiumTargets(items);
    const all = [...existing, ...session];
    return all.filter(
      (command, index) =>
        all.findIndex((it) => it.externalId === command.externalId && it.zoneId === command.zoneId) === index,
    );
  }

  private toPremiumTargets(items: readonly PurchaseItem[]): PurchaseTarget[] {
    const { premiumZoneId } = this.config.integrations;
    return premiumZoneId === null ? [] : items.map(({ externalId }) => ({ externalId, zoneId: premiumZoneId }));
  }

  private async findMappedTargets(items: readonly PurchaseItem[]): Promise<PurchaseTarget[]> {
    const productIds = items.flatMap(({ productId }) => productId ?? []);
    if (productIds.length === 0) return [];
    const mapped = await this.mappings.findMappedZones(productIds);
    return items.flatMap(({ externalId, productId }) =>
      mapped.filter((mapping) => mapping.productId === productId).map(({ zoneId }) => ({ externalId, zoneId })),
    );
  }

  private async recordResult(id: number, result: ProcessingResult): Promise<void> {
    await inTransaction(this.em, async (em) => {
      await this.updateWebhook(em, id, result);
      await this.enqueuePurchaseNotices(em, id);
      await this.updateOrderIssues(em, id, result);
    });
  }

  private updateWebhook(em: EntityManager, id: number, result: ProcessingResult): Promise<void> {
    const { status, code, field, shown, effects = [] } = result;
    return this.webhooks.updateResult(em, id, {
      status,
      code,
      field: field ?? null,
      shown,
      hasCreatedMembership: effects.some((effect) => effect.joined),
      access: effects.find(({ outcome }) => outcome !== 'zone-gone'),
    });
  }

  /** Notifies those who can act on paid purchases without access. */
  private async updateOrderIssues(
    em: EntityManager,
    webhookId: number,
    { status, code, requested, effects = [] }: ProcessingResult,
  ) {
    const isPaid = requested?.kind === 'grant' && code !== 'NO_EMAIL';
    if (status === 'pending') {
      const zoneIds = effects.filter(({ outcome }) => outcome === 'waiting').map(({ zoneId }) => zoneId);
      return this.orderIssues.recordIssues(em, { webhookId, kind: 'waiting', zoneIds, isPaid });
    }
    if (status === 'failed') {
      const open = effects.filter(({ outcome }) => outcome !== 'zone-gone').map(({ zoneId }) => zoneId);
      const zoneIds = (requested?.zoneIds ?? []).filter((zoneId) => !open.includes(zoneId));
      return this.orderIssues.recordIssues(em, {
        webhookId,
        kind: 'failed',
        zoneIds: zoneIds.length > 0 ? zoneIds : [null],
        isPaid,
      });
    }
    const awaitingDecision = effects.filter(({ outcome }) => needsDecision(outcome, code)).map(({ zoneId }) => zoneId);
    if (awaitingDecision.length > 0) {
      return this.orderIssues.recordIssues(em, { webhookId, kind: 'decide', zoneIds: awaitingDecision, isPaid: false });
    }
    // Another delivery of the purchase is waiting. A delivery that requests nothing says nothing about the others.
    if (code === 'WAITS_ALREADY') return;
    if (requested) {
      // An older event leaves decisions open.
      await this.orderIssueRepository.resolvePurchase(em, webhookId, { keepsDecisions: code === 'SUPERSEDED' });
    } else await this.orderIssueRepository.resolveDelivery(em, webhookId);
  }

  /**
   * Called when all zones of the delivery are processed, so that one email lists them all, including those of earlier
   * attempts.
   */
  private async enqueuePurchaseNotices(em: EntityManager, webhookId: number): Promise<void> {
    const customers = await this.entitlementRepository.listUnnotifiedCustomers(em, webhookId);
    await this.jobs.enqueueMany(
      em,
      notifyPurchase,
      customers.map((userId) => ({ userId })),
    );
  }
}

const toUnreadableResult = ({ code, field, shown }: PayloadError): ProcessingResult => ({
  status: 'failed',
  code,
  field,
  shown,
});
/** The customer has deleted the account in the meantime. */
const bodyDeletedResult: ProcessingResult = { status: 'completed', code: 'NOTHING_TO_DO' };

/**
 * Whether a person has to decide about access that a purchase has given: the sender doesn't say which part was
 * refunded.
 */
const needsDecision = (outcome: ApplyResult['outcome'], code: OutcomeCode | null): boolean =>
  outcome === 'reviewed' || (code === 'PARTIAL_REFUND' && (outcome === 'granted' || outcome === 'kept'));

/**
 * Summarises the results of a delivery; the worst one determines its status.
 * @param skipsDeletedZones whether a deleted zone is only mentioned
 */
function summarizeResults(
  results: readonly ApplyResult[],
  note: OutcomeCode | null,
  skipsDeletedZones: boolean,
): { status: WebhookStatus; code: OutcomeCode | null } {
  const hasOutcome = (outcome: ApplyResult['outcome']) => results.some((effect) => effect.outcome === outcome);
  if (hasOutcome('waiting')) return { status: 'pending', code: 'ZONE_FULL' };
  if (hasOutcome('zone-gone') && !skipsDeletedZones) return { status: 'failed', code: 'ZONE_GONE' };
  if (hasOutcome('awaited')) return { status: 'completed', code: 'WAITS_ALREADY' };
  if (hasOutcome('withheld')) return { status: 'completed', code: 'WITHHELD' };
  if (hasOutcome('zone-gone')) return { status: 'completed', code: note ?? 'ZONE_PASSED_OVER' };
  if (results.every(({ outcome }) => outcome === 'superseded')) return { status: 'completed', code: 'SUPERSEDED' };
  return { status: 'completed', code: note };
}

/** A parsed delivery with a known time. */
type TimedDelivery = Omit<ParsedDelivery, 'demand'> & {
  readonly demand: (EntitlementCommand & { occurredAt: Date }) | null;
};

/**
 * Uses the time of arrival for events without a time, or with one in the future; otherwise no later event of the same
 * purchase would ever count.
 */
function withOccurrenceTime({ demand, ...reading }: ParsedDelivery, arrivedAt: Date): TimedDelivery {
  if (!demand) return { ...reading, demand };
  const { occurredAt } = demand;
  const isKnown = occurredAt !== null && occurredAt <= addMilliseconds(arrivedAt, MAX_CLOCK_SKEW);
  return { ...reading, demand: { ...demand, occurredAt: isKnown ? occurredAt : arrivedAt } };
}
