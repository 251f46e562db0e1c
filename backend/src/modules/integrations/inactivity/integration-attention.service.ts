import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import type { IntegrationAttentionDto, SilentSenderDto, TroubledOrdersDto } from './integration-attention.dto.js';

/** What administrators must look at in the integrations. */
@Injectable()
export class IntegrationAttentionService {
  constructor(private readonly em: EntityManager) {}

  /** Orders that have failed or wait, and senders that have fallen silent. */
  async getIssues(): Promise<IntegrationAttentionDto> {
    return { orders: await this.countOpenOrders(), silences: await this.listInactiveSenders() };
  }

  /** Senders that were silent when they were last looked at, and have not been heard of since. */
  async listInactiveSenders(): Promise<SilentSenderDto[]> {
    const { rows } = await sql<SilentSenderDto>`
      select s.source, w.created_at as "lastReceivedAt" from integration_silences s
      join integration_webhooks w on w.id = s.webhook_id
      where not exists (select from integration_webhooks n where n.source = s.source and n.id > s.webhook_id)
      order by s.source`.execute(this.em.getKysely());
    return rows.map(({ source, lastReceivedAt }) => ({ source, lastReceivedAt: new Date(lastReceivedAt) }));
  }

  private async countOpenOrders(): Promise<TroubledOrdersDto[]> {
    const { rows } = await sql<TroubledOrdersDto>`
      select source, kind, count(distinct purchase_id)::int as count, min(since) as since from order_troubles
      where resolved_at is null and kind <> 'decide' group by source, kind order by source, kind`.execute(
      this.em.getKysely(),
    );
    return rows;
  }
}
