import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import type { IntegrationAttentionDto, SilentSenderDto, TroubledOrdersDto } from './integration-attention.dto.js';

/** Integration problems that need an admin's attention. */
@Injectable()
export class IntegrationAttentionService {
  constructor(private readonly em: EntityManager) {}

  /** Returns orders that have failed or are waiting, and inactive senders. */
  async getIssues(): Promise<IntegrationAttentionDto> {
    return { orders: await this.countOpenOrders(), silences: await this.listInactiveSenders() };
  }

  /** Returns senders that were inactive at the last check and have sent nothing since. */
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
