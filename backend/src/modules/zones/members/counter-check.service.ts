import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { Counter, type Registry } from 'prom-client';
import { freezeList } from '../../../platform/constants/freeze-list.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { MetricSources, type MetricSource } from '../../../platform/health/metric-sources.js';
import { forEachIsolated } from '../../../platform/jobs/running/for-each-isolated.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { UsageRepository } from '../../plans/usage.repository.js';
import { ZoneStatsRepository } from '../zone/zone-stats.repository.js';
import { ZoneRepository } from '../zone/zone.repository.js';
import { checkCounters } from '../zones.jobs.js';
import { audienceSizeSql, storedBytesSql, zoneCountSql } from './actual-usage.sql.js';
import { AudienceRepository } from './audience.repository.js';

/** Addresses locked per transaction. */
const BATCH_SIZE = 500;

/** Kinds of counters that are checked. */
const kinds = freezeList(['people', 'zones', 'usage']);

/**
 * Compares counters with the rows they count and corrects differences. The comparison takes no locks. Differences are
 * then locked, in the order described in docs/rules.md, and checked again, so that concurrent changes are not
 * overwritten.
 */
@Injectable()
export class CounterCheckService implements MetricSource, OnModuleInit {
  private readonly logger = new Logger('Counters');
  private readonly repairedTotal = new Counter({
    name: 'zonary_counters_repaired_total',
    help: "Counters that didn't match their rows and were repaired, by kind.",
    labelNames: ['kind'],
    registers: [],
  });

  constructor(
    private readonly em: EntityManager,
    private readonly audience: AudienceRepository,
    private readonly zones: ZoneRepository,
    private readonly zoneStats: ZoneStatsRepository,
    private readonly usage: UsageRepository,
    private readonly sources: MetricSources,
  ) {
    for (const kind of kinds) this.repairedTotal.inc({ kind }, 0);
  }

  onModuleInit(): void {
    this.sources.add(this);
  }

  register(registry: Registry): void {
    registry.registerMetric(this.repairedTotal);
  }

  /** Nothing to refresh: the counter is incremented at every repair. */
  refresh(): Promise<void> {
    return Promise.resolve();
  }

  /** Processes one owner at a time; a failure for one does not affect the others. */
  @OnJob(checkCounters)
  async checkCounters(_payload: object, { signal }: Pick<JobContext, 'signal'>): Promise<void> {
    await forEachIsolated(
      await this.zones.listOwners(),
      (ownerId) => this.checkOwner(ownerId),
      signal,
      (ownerId) => ({ ownerId }),
    );
  }

  private async checkOwner(ownerId: number): Promise<void> {
    const found = {
      people: await this.repairPeople(ownerId),
      zones: await this.repairZones(ownerId),
      usage: await this.repairUsage(ownerId),
    };
    if (kinds.every((kind) => found[kind] === 0)) return;
    this.logger.warn({ message: "Repaired counters that didn't match their rows.", ownerId, ...found });
    for (const kind of kinds) this.repairedTotal.inc({ kind }, found[kind]);
  }

  private async repairPeople(ownerId: number): Promise<number> {
    const emails = await this.audience.findMismatchedCounters(this.em.fork(), ownerId);
    let repaired = 0;
    for (let start = 0; start < emails.length; start += BATCH_SIZE) {
      const batch = emails.slice(start, start + BATCH_SIZE);
      repaired += await inTransaction(this.em.fork(), async (em) => {
        const wrong = await this.audience.repairCounters(em, ownerId, batch);
        await this.usage.repairUsage(em, ownerId, 'people', audienceSizeSql(ownerId));
        return wrong;
      });
    }
    return repaired;
  }

  private async repairZones(ownerId: number): Promise<number> {
    let repaired = 0;
    for (const zoneId of await this.zoneStats.findMiscountedZones(ownerId)) {
      if (await inTransaction(this.em.fork(), (em) => this.zoneStats.repairCounts(em, zoneId))) repaired++;
    }
    return repaired;
  }

  private repairUsage(ownerId: number): Promise<number> {
    return inTransaction(this.em.fork(), async (em) => {
      // In order of the metric names, as the lock order requires.
      const wrong = [
        await this.usage.repairUsage(em, ownerId, 'bytes', storedBytesSql(ownerId)),
        await this.usage.repairUsage(em, ownerId, 'people', audienceSizeSql(ownerId)),
        await this.usage.repairUsage(em, ownerId, 'zones', zoneCountSql(ownerId)),
      ];
      return wrong.filter(Boolean).length;
    });
  }
}
