import { Injectable } from '@nestjs/common';
import { addMilliseconds, Clock, DAY } from '../../../platform/clock/clock.js';
import type { Language } from '../../../platform/errors/app-error.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import type { WebhookDetailDto, WebhookLogDto, WebhookLogQueryDto, WebhookSummaryDto } from '../dto/webhook-log.dto.js';
import { EntitlementRepository } from '../entitlements/entitlement.repository.js';
import { integrationErrors, toOutcomeMessage } from '../integrations.errors.js';
import { canSeeCustomers } from '../integration.policy.js';
import { maskBody } from '../shared/mask.js';
import type { WebhookSource } from '../shared/sources.js';
import { WebhookRepository, type WebhookCounts } from '../webhooks/webhook.repository.js';

/** Period over which rejected deliveries are counted, in milliseconds. */
const REJECTION_WINDOW = 30 * DAY;

/** A row of the log with the columns of all senders; each controller selects its own. */
export type LoggedWebhook = Awaited<ReturnType<WebhookLogService['listWebhooks']>>['rows'][number];

/** The delivery log for operators. */
@Injectable()
export class WebhookLogService {
  constructor(
    private readonly webhooks: WebhookRepository,
    private readonly entitlements: EntitlementRepository,
    private readonly clock: Clock,
  ) {}

  /** Lists a sender's deliveries; `q` searches customers, orders and subscriptions. */
  async listWebhooks(source: WebhookSource, list: WebhookLogQueryDto, language: Language) {
    const { rows, total } = await this.webhooks.findAdminPage(source, list);
    const toRow = (row: (typeof rows)[number]) => ({
      ...row,
      errorMessage: toOutcomeMessage(row.errorCode, row.errorField, language),
    });
    return { rows: rows.map(toRow), total };
  }

  /** Counts a sender's deliveries by result, with the time of the last one. */
  async getSummary(source: WebhookSource): Promise<WebhookSummaryDto> {
    const groups = await this.webhooks.countByResult(source);
    const [last] = await this.webhooks.listRecent(source, 1);
    const sum = (fits: (group: WebhookCounts) => boolean) =>
      groups.filter(fits).reduce((total, { count }) => total + count, 0);
    return {
      total: sum(() => true),
      successful: sum(({ status }) => status === 'completed'),
      failed: sum(({ status }) => status === 'failed'),
      pending: sum(({ status }) => status === 'pending'),
      newMemberships: sum(({ hasCreatedMembership }) => hasCreatedMembership),
      refused: await this.webhooks.countRejections(source, addMilliseconds(this.clock.now(), -REJECTION_WINDOW)),
      lastReceivedAt: last?.at ?? null,
    };
  }

  /** @throws WEBHOOK_NOT_FOUND */
  async getDetail(source: WebhookSource, id: number, viewer: Viewer): Promise<WebhookDetailDto> {
    const isUnmasked = canSeeCustomers(viewer);
    const found = await this.webhooks.findDetail(source, id);
    if (!found) throw integrationErrors.WEBHOOK_NOT_FOUND();
    const body = found.body === null || isUnmasked ? found.body : maskBody(found.body);
    const { purchaseId } = found;
    const entitlements = purchaseId === null ? [] : await this.entitlements.listOfPurchase(source, purchaseId);
    return { id, body, masked: !isUnmasked, entitlements };
  }
}

/** Returns the fields that the logs of all senders have in common. */
export function toCommonFields(row: LoggedWebhook): WebhookLogDto {
  const { id, event, status, customerEmail, customerName, zoneId, zoneName, membershipCreated, emailSent } = row;
  const { errorMessage, errorCode, errorField, processedAt, createdAt } = row;
  const seen = { id, event, status, customerEmail, customerName, zoneId, zoneName, membershipCreated, emailSent };
  return { ...seen, errorMessage, errorCode, errorField, processedAt, createdAt };
}
