import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditRepository } from '../../../platform/audit/audit.repository.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { integrationErrors } from '../integrations.errors.js';
import { processWebhook } from '../integrations.jobs.js';
import type { WebhookSource } from '../shared/sources.js';
import type { ReplayedDto } from '../dto/webhook-log.dto.js';
import { WebhookRepository } from '../webhooks/webhook.repository.js';

/** Processes deliveries again. Processing is idempotent. */
@Injectable()
export class WebhookReplayService {
  constructor(
    private readonly em: EntityManager,
    private readonly webhooks: WebhookRepository,
    private readonly jobs: JobsService,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * Replays a delivery.
   * @throws WEBHOOK_NOT_FOUND, WEBHOOK_DATA_GONE
   */
  replayWebhook(source: WebhookSource, id: number, actorId: number): Promise<void> {
    return inTransaction(this.em, async (em) => {
      const [row] = await this.webhooks.lockWebhooks(em, source, [id]);
      if (!row) throw integrationErrors.WEBHOOK_NOT_FOUND();
      if (row.isBodyDeleted) throw integrationErrors.WEBHOOK_DATA_GONE();
      await this.enqueueReplays(em, source, [id], actorId);
    });
  }

  /** Replays several deliveries; skips and counts those that don't exist or whose body is deleted. */
  replayWebhooks(source: WebhookSource, ids: readonly number[], actorId: number): Promise<ReplayedDto> {
    return inTransaction(this.em, async (em) => {
      const requested = [...new Set(ids)];
      const rows = await this.webhooks.lockWebhooks(em, source, requested);
      const found = rows.filter(({ isBodyDeleted }) => !isBodyDeleted).map(({ id }) => id);
      await this.enqueueReplays(em, source, found, actorId);
      return { replayed: found.length, passedOver: requested.length - found.length };
    });
  }

  private async enqueueReplays(
    em: EntityManager,
    source: WebhookSource,
    ids: readonly number[],
    actorId: number,
  ): Promise<void> {
    if (ids.length === 0) return;
    await this.webhooks.resetWebhooks(em, ids);
    const payloads = ids.map((webhookId) => ({ webhookId }));
    await this.jobs.enqueueMany(em, processWebhook, payloads);
    const facts = payloads.map(
      ({ webhookId }) => ({ type: 'webhook.replayed', actorId, params: { source, webhookId } }) as const,
    );
    await this.audit.recordMany(em, facts);
  }
}
