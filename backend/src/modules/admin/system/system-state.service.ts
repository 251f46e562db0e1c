import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { after, Clock, SECOND } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { productVersion } from '../../../platform/config/version.js';
import { JobDesk } from '../../../platform/jobs/job-desk.service.js';
import { InstallationRecord } from '../../../platform/installation/installation-record.service.js';
import { MailHealth } from '../../../platform/mail/mail-health.service.js';
import { DiskReserve } from '../../../platform/storage/disk-reserve.js';
import { StorageIdentity } from '../../../platform/storage/identity/storage-identity.js';
import { Storage } from '../../../platform/storage/storage.js';
import type { StorageStateDto, SystemStateDto, TableSizeDto } from '../dto/system.dto.js';

const TABLES = 10;

interface DatabaseState {
  readonly databaseVersion: string;
  readonly schemaVersion: string;
  readonly databaseBytes: number;
  readonly storedBytes: number;
}

/** How the installation is doing. */
@Injectable()
export class SystemStateService {
  private readonly version = productVersion();

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly config: AppConfig,
    private readonly storage: Storage,
    private readonly jobs: JobDesk,
    private readonly mail: MailHealth,
    private readonly identity: StorageIdentity,
    private readonly disk: DiskReserve,
    private readonly installation: InstallationRecord,
  ) {}

  /** How this process, the database and the storage are at this moment; sizes in bytes. */
  async state(): Promise<SystemStateDto> {
    return {
      ...(await this.database()),
      version: this.version,
      nodeVersion: process.version,
      startedAt: after(this.clock.now(), -Math.round(process.uptime()) * SECOND),
      memoryBytes: process.memoryUsage.rss(),
      tables: await this.tables(),
      storageType: this.storage.type,
      storage: await this.storageState(),
      mailServer: await this.mail.state(),
      sendsMail: this.config.smtpUrl !== null,
      queues: await this.jobs.queues(),
    };
  }

  private async storageState(): Promise<StorageStateDto> {
    const [{ kind }, space, comparison] = await Promise.all([
      this.identity.state(),
      this.disk.space(),
      this.installation.lastComparison(),
    ]);
    return { state: kind, freeBytes: space?.free ?? null, reserveBytes: space?.reserve ?? null, comparison };
  }

  private async database(): Promise<DatabaseState> {
    const { rows } = await sql<DatabaseState>`
      select current_setting('server_version') as "databaseVersion",
        (select name from mikro_orm_migrations order by id desc limit 1) as "schemaVersion",
        pg_database_size(current_database())::bigint as "databaseBytes",
        (select coalesce(sum(bytes), 0)::bigint from zone_stats) as "storedBytes"`.execute(this.em.getKysely());
    const state = rows[0]!;
    return { ...state, databaseBytes: Number(state.databaseBytes), storedBytes: Number(state.storedBytes) };
  }

  /** Parts of a partitioned table count for the whole; rows of a table never analyzed are those that were counted in passing. */
  private async tables(): Promise<TableSizeDto[]> {
    const { rows } = await sql<TableSizeDto>`
      select coalesce(i.inhparent, c.oid)::regclass::text as name,
        sum(pg_total_relation_size(c.oid))::bigint as bytes, sum(greatest(c.reltuples, pg_stat_get_live_tuples(c.oid)))::bigint as rows
      from pg_class c left join pg_inherits i on i.inhrelid = c.oid
      where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
      group by 1 order by 2 desc limit ${TABLES}`.execute(this.em.getKysely());
    return rows.map(({ name, bytes, rows }) => ({ name, bytes: Number(bytes), rows: Number(rows) }));
  }
}
