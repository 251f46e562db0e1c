import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { sql } from 'kysely';
import { Counter, type Registry } from 'prom-client';
import { freezeList } from '../../../platform/constants/freeze-list.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { MetricSources, type MetricSource } from '../../../platform/health/metric-sources.js';
import { forEachIsolated } from '../../../platform/jobs/running/for-each-isolated.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { UsageRepository } from '../../plans/usage.repository.js';
import type { ZoneSchema } from '../entities/zone.entity.js';
import { repairZoneCounts, findMiscountedZones } from '../zone/zone-counts.service.js';
import { checkCounters } from '../zones.jobs.js';
import { AudienceService } from './audience.service.js';

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
    private readonly audience: AudienceService,
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
    const { rows } = await sql<{ id: number }>`select distinct owner_id as id from zones order by owner_id`.execute(
      query<typeof ZoneSchema>(this.em),
    );
    const owners = rows.map(({ id }) => Number(id));
    await forEachIsolated(
      owners,
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
        await this.repairPeopleUsage(em, ownerId);
        return wrong;
      });
    }
    return repaired;
  }

  private async repairZones(ownerId: number): Promise<number> {
    let repaired = 0;
    for (const zoneId of await findMiscountedZones(this.em.fork(), ownerId)) {
      if (await inTransaction(this.em.fork(), (em) => repairZoneCounts(em, zoneId))) repaired++;
    }
    return repaired;
  }

  private repairUsage(ownerId: number): Promise<number> {
    return inTransaction(this.em.fork(), async (em) => {
      const bytes = sql`
        select coalesce(sum(f.size), 0) as amount from zones z join files f on f.zone_id = z.id where z.owner_id = ${ownerId}`;
      const zones = sql`
        select count(*) as amount from zones where owner_id = ${ownerId} and deleted_at is null`;
      // In order of the metric names, as the lock order requires.
      const wrong = [
        await this.usage.repairUsage(em, ownerId, 'bytes', bytes),
        await this.repairPeopleUsage(em, ownerId),
        await this.usage.repairUsage(em, ownerId, 'zones', zones),
      ];
      return wrong.filter(Boolean).length;
    });
  }

  private repairPeopleUsage(em: EntityManager, ownerId: number): Promise<boolean> {
    const people = sql`select count(*) as amount from audience where owner_id = ${ownerId}`;
    return this.usage.repairUsage(em, ownerId, 'people', people);
  }
}
