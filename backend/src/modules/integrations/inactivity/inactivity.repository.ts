import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import type { WebhookSource } from '../shared/sources.js';
import type { SilentSenderDto } from './integration-attention.dto.js';
import type { IntegrationInactivitySchema } from './integration-inactivity.entity.js';

type Tables = typeof IntegrationInactivitySchema;

/** Senders that were found inactive. */
@Injectable()
export class InactivityRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * Records that a sender is inactive since a delivery.
   * @returns false if that is recorded already
   */
  async insertInactivity(em: EntityManager, source: WebhookSource, webhookId: number): Promise<boolean> {
    const record = { webhook_id: webhookId, noted_at: this.clock.now() };
    const inserted = await query<Tables>(em)
      .insertInto('integration_silences')
      .values({ source, ...record })
      .onConflict((conflict) =>
        conflict
          .column('source')
          .doUpdateSet(record)
          .where(sql<boolean>`integration_silences.webhook_id <> excluded.webhook_id`),
      )
      .returning('source')
      .executeTakeFirst();
    return inserted !== undefined;
  }

  /** Returns senders that were inactive at the last check and have sent nothing since. */
  async listInactiveSenders(): Promise<SilentSenderDto[]> {
    const { rows } = await sql<SilentSenderDto>`
      select s.source, w.created_at as "lastReceivedAt" from integration_silences s
      join integration_webhooks w on w.id = s.webhook_id
      where not exists (select from integration_webhooks n where n.source = s.source and n.id > s.webhook_id)
      order by s.source`.execute(query<Tables>(this.em));
    return rows.map(({ source, lastReceivedAt }) => ({ source, lastReceivedAt: new Date(lastReceivedAt) }));
  }
}
