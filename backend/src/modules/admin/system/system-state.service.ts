import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { addMilliseconds, Clock, SECOND } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { productVersion } from '../../../platform/config/version.js';
import { JobAdminService } from '../../../platform/jobs/job-admin.service.js';
import { InstallationRepository } from '../../../platform/installation/installation.repository.js';
import { MailServerHealthService } from '../../../platform/email/mail-server-health.service.js';
import { DiskReserve } from '../../../platform/storage/disk-reserve.js';
import { StorageOwnershipGuard } from '../../../platform/storage/ownership/storage-ownership-guard.js';
import { Storage } from '../../../platform/storage/storage.js';
import type { StorageStateDto, SystemStateDto, TableSizeDto } from '../dto/system.dto.js';

const MAX_TABLES = 10;

interface DatabaseState {
  readonly databaseVersion: string;
  readonly schemaVersion: string;
  readonly databaseBytes: number;
  readonly storedBytes: number;
}

/** The state of the installation. */
@Injectable()
export class SystemStateService {
  private readonly version = productVersion();

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly config: AppConfig,
    private readonly storage: Storage,
    private readonly jobs: JobAdminService,
    private readonly mailHealth: MailServerHealthService,
    private readonly identity: StorageOwnershipGuard,
    private readonly disk: DiskReserve,
    private readonly installation: InstallationRepository,
  ) {}

  /** Returns the current state of this process, the database and the storage; sizes in bytes. */
  async getState(): Promise<SystemStateDto> {
    return {
      ...(await this.getDatabaseState()),
      version: this.version,
      nodeVersion: process.version,
      startedAt: addMilliseconds(this.clock.now(), -Math.round(process.uptime()) * SECOND),
      memoryBytes: process.memoryUsage.rss(),
      tables: await this.listLargestTables(),
      storageType: this.storage.type,
      storage: await this.getStorageState(),
      mailServer: await this.mailHealth.readState(),
      sendsMail: this.config.smtpUrl !== null,
      queues: await this.jobs.listQueues(),
    };
  }

  private async getStorageState(): Promise<StorageStateDto> {
    const [{ kind }, space, comparison] = await Promise.all([
      this.identity.checkState(),
      this.disk.findFullestDisk(),
      this.installation.getLastComparison(),
    ]);
    return { state: kind, freeBytes: space?.free ?? null, reserveBytes: space?.reserve ?? null, comparison };
  }

  private async getDatabaseState(): Promise<DatabaseState> {
    const { rows } = await sql<DatabaseState>`
      select current_setting('server_version') as "databaseVersion",
        (select name from mikro_orm_migrations order by id desc limit 1) as "schemaVersion",
        pg_database_size(current_database())::bigint as "databaseBytes",
        (select coalesce(sum(bytes), 0)::bigint from zone_stats) as "storedBytes"`.execute(this.em.getKysely());
    const state = rows[0]!;
    return { ...state, databaseBytes: Number(state.databaseBytes), storedBytes: Number(state.storedBytes) };
  }

  /**
   * Partitions count towards their parent table. For tables never analysed, the row count comes from the cumulative
   * statistics.
   */
  private async listLargestTables(): Promise<TableSizeDto[]> {
    const { rows } = await sql<TableSizeDto>`
      select coalesce(i.inhparent, c.oid)::regclass::text as name,
        sum(pg_total_relation_size(c.oid))::bigint as bytes, sum(greatest(c.reltuples, pg_stat_get_live_tuples(c.oid)))::bigint as rows
      from pg_class c left join pg_inherits i on i.inhrelid = c.oid
      where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
      group by 1 order by 2 desc limit ${MAX_TABLES}`.execute(this.em.getKysely());
    return rows.map(({ name, bytes, rows }) => ({ name, bytes: Number(bytes), rows: Number(rows) }));
  }
}
