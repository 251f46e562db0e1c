import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { sql } from 'kysely';
import { Counter, type Registry } from 'prom-client';
import { catalogue } from '../../../platform/catalogue/catalogue.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { MetricSources, type MetricSource } from '../../../platform/health/metric-sources.js';
import { eachOnItsOwn } from '../../../platform/jobs/running/each-on-its-own.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { UsageService } from '../../plans/usage.service.js';
import type { ZoneSchema } from '../entities/zone.entity.js';
import { mendZone, zonesMiscounted } from '../zone/zone-counts.service.js';
import { checkCounters } from '../zones.jobs.js';
import { AudienceService } from './audience.service.js';

/** Addresses that one transaction locks, as long as it lasts. */
const BATCH = 500;

/** What is counted, and was found to be wrong. */
const kinds = catalogue(['people', 'zones', 'usage']);

/**
 * Compares counters with the rows that they count, and puts right what differs. Looking takes no lock; what differs is
 * locked, in the order of docs/rules.md, and looked at again, so that nothing that is changing meanwhile is spoilt.
 */
@Injectable()
export class CounterCheck implements MetricSource, OnModuleInit {
  private readonly logger = new Logger('Counters');
  private readonly mended = new Counter({
    name: 'zonary_counters_mended_total',
    help: 'Counters that differed from the rows they count and were put right, by kind.',
    labelNames: ['kind'],
    registers: [],
  });

  constructor(
    private readonly em: EntityManager,
    private readonly audience: AudienceService,
    private readonly usage: UsageService,
    private readonly sources: MetricSources,
  ) {
    for (const kind of kinds) this.mended.inc({ kind }, 0);
  }

  onModuleInit(): void {
    this.sources.add(this);
  }

  register(registry: Registry): void {
    registry.registerMetric(this.mended);
  }

  /** They are counted as it happens. */
  refresh(): Promise<void> {
    return Promise.resolve();
  }

  /** Of one owner after the other: an owner where it fails keeps no other's counters wrong. */
  @OnJob(checkCounters)
  async check(_tick: object, { signal }: Pick<JobContext, 'signal'>): Promise<void> {
    const { rows } = await sql<{ id: number }>`select distinct owner_id as id from zones order by owner_id`.execute(
      query<typeof ZoneSchema>(this.em),
    );
    const owners = rows.map(({ id }) => Number(id));
    await eachOnItsOwn(
      owners,
      (ownerId) => this.checkOwner(ownerId),
      signal,
      (ownerId) => ({ ownerId }),
    );
  }

  private async checkOwner(ownerId: number): Promise<void> {
    const found = {
      people: await this.mendPeople(ownerId),
      zones: await this.mendZones(ownerId),
      usage: await this.mendUsage(ownerId),
    };
    if (kinds.every((kind) => found[kind] === 0)) return;
    this.logger.warn({ message: 'Counters differed from the rows they count and were put right.', ownerId, ...found });
    for (const kind of kinds) this.mended.inc({ kind }, found[kind]);
  }

  private async mendPeople(ownerId: number): Promise<number> {
    const emails = await this.audience.differing(this.em.fork(), ownerId);
    let mended = 0;
    for (let start = 0; start < emails.length; start += BATCH) {
      const batch = emails.slice(start, start + BATCH);
      mended += await inTransaction(this.em.fork(), async (em) => {
        const wrong = await this.audience.mend(em, ownerId, batch);
        await this.mendPlaces(em, ownerId);
        return wrong;
      });
    }
    return mended;
  }

  private async mendZones(ownerId: number): Promise<number> {
    let mended = 0;
    for (const zoneId of await zonesMiscounted(this.em.fork(), ownerId)) {
      if (await inTransaction(this.em.fork(), (em) => mendZone(em, zoneId))) mended++;
    }
    return mended;
  }

  private mendUsage(ownerId: number): Promise<number> {
    return inTransaction(this.em.fork(), async (em) => {
      const bytes = sql`
        select coalesce(sum(f.size), 0) as amount from zones z join files f on f.zone_id = z.id where z.owner_id = ${ownerId}`;
      const zones = sql`
        select count(*) as amount from zones where owner_id = ${ownerId} and deleted_at is null`;
      // By metric, as the order of locks asks.
      const wrong = [
        await this.usage.mend(em, ownerId, 'bytes', bytes),
        await this.mendPlaces(em, ownerId),
        await this.usage.mend(em, ownerId, 'zones', zones),
      ];
      return wrong.filter(Boolean).length;
    });
  }

  private mendPlaces(em: EntityManager, ownerId: number): Promise<boolean> {
    const people = sql`select count(*) as amount from audience where owner_id = ${ownerId}`;
    return this.usage.mend(em, ownerId, 'people', people);
  }
}
