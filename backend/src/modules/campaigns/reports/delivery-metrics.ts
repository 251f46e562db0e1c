import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { sql } from 'kysely';
import { Gauge, type Registry } from 'prom-client';
import { query } from '../../../platform/database/query.js';
import { MetricSources, type MetricSource } from '../../../platform/health/metric-sources.js';
import type { CampaignSchema } from '../entities/campaign.entity.js';

/**
 * Exposes the results of campaign emails as metrics. Sums the counters of campaigns, because there may be millions of
 * deliveries.
 */
@Injectable()
export class DeliveryMetrics implements MetricSource, OnModuleInit {
  private readonly deliveries = new Gauge({
    name: 'zonary_campaign_deliveries',
    help: "Campaign emails since the installation, by state; pending ones haven't been attempted yet.",
    labelNames: ['state'],
    registers: [],
  });

  constructor(
    private readonly em: EntityManager,
    private readonly sources: MetricSources,
  ) {}

  onModuleInit(): void {
    this.sources.add(this);
  }

  register(registry: Registry): void {
    registry.registerMetric(this.deliveries);
  }

  async refresh(): Promise<void> {
    const sum = (column: string) => sql<number>`coalesce(sum(${sql.ref(column)}), 0)::bigint`;
    const counts = await query<typeof CampaignSchema>(this.em.fork())
      .selectFrom('campaigns')
      .select([
        sum('delivered_count').as('delivered'),
        sum('kept_count').as('kept'),
        sum('failed_count').as('failed'),
        sum('skipped_count').as('skipped'),
        sum('cancelled_count').as('cancelled'),
        sql<number>`coalesce(sum(recipient_count - delivered_count - kept_count - failed_count - skipped_count
          - cancelled_count)
          filter (where status in ('sending', 'paused')), 0)::bigint`.as('pending'),
      ])
      .executeTakeFirstOrThrow();
    for (const [state, count] of Object.entries(counts)) this.deliveries.set({ state }, Number(count));
  }
}
