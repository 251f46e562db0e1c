import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Audit } from '../../../platform/audit/audit.service.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { Jobs } from '../../../platform/jobs/jobs.service.js';
import { IntegrationWebhookSchema } from '../entities/integration-webhook.entity.js';
import { integrationErrors } from '../integrations.errors.js';
import { processWebhook } from '../integrations.jobs.js';
import type { Source } from '../shared/sources.js';
import type { ReplayedDto } from '../dto/webhook-log.dto.js';

/** Has deliveries processed once more. What they did before is not done twice. */
@Injectable()
export class DeliveryReplayer {
  constructor(
    private readonly em: EntityManager,
    private readonly jobs: Jobs,
    private readonly audit: Audit,
  ) {}

  /**
   * One delivery.
   * @throws WEBHOOK_NOT_FOUND, WEBHOOK_DATA_GONE
   */
  replay(source: Source, id: number, actorId: number): Promise<void> {
    return inTransaction(this.em, async (em) => {
      const [row] = await this.locked(em, source, [id]);
      if (!row) throw integrationErrors.WEBHOOK_NOT_FOUND();
      if (row.isGone) throw integrationErrors.WEBHOOK_DATA_GONE();
      await this.again(em, source, [id], actorId);
    });
  }

  /** A selection; those that are not there, or have lost their body, are passed over and counted. */
  replayMany(source: Source, ids: readonly number[], actorId: number): Promise<ReplayedDto> {
    return inTransaction(this.em, async (em) => {
      const asked = [...new Set(ids)];
      const rows = await this.locked(em, source, asked);
      const found = rows.filter(({ isGone }) => !isGone).map(({ id }) => id);
      await this.again(em, source, found, actorId);
      return { replayed: found.length, passedOver: asked.length - found.length };
    });
  }

  private locked(em: EntityManager, source: Source, ids: readonly number[]) {
    return query<typeof IntegrationWebhookSchema>(em)
      .selectFrom('integration_webhooks')
      .select(['id', sql<boolean>`webhook_data is null`.as('isGone')])
      .where('source', '=', source)
      .where('id', 'in', ids)
      .orderBy('id')
      .forUpdate()
      .execute();
  }

  private async again(em: EntityManager, source: Source, ids: readonly number[], actorId: number): Promise<void> {
    if (ids.length === 0) return;
    await query<typeof IntegrationWebhookSchema>(em)
      .updateTable('integration_webhooks')
      .set({ status: 'pending', error_code: null, error_field: null })
      .where('id', 'in', ids)
      .execute();
    const payloads = ids.map((webhookId) => ({ webhookId }));
    await this.jobs.enqueueMany(em, processWebhook, payloads);
    const facts = payloads.map(
      ({ webhookId }) => ({ type: 'webhook.replayed', actorId, params: { source, webhookId } }) as const,
    );
    await this.audit.recordMany(em, facts);
  }
}
