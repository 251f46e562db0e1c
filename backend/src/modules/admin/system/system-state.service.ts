import { Injectable } from '@nestjs/common';
import { addMilliseconds, Clock, SECOND } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { productVersion } from '../../../platform/config/version.js';
import { JobRepository } from '../../../platform/jobs/job.repository.js';
import { InstallationRepository } from '../../../platform/installation/installation.repository.js';
import { MailStateRepository } from '../../../platform/email/mail-state.repository.js';
import { DiskReserve } from '../../../platform/storage/disk-reserve.js';
import { StorageOwnershipGuard } from '../../../platform/storage/ownership/storage-ownership-guard.js';
import { Storage } from '../../../platform/storage/storage.js';
import type { StorageStateDto, SystemStateDto } from '../dto/system.dto.js';
import { SystemStateRepository } from './system-state.repository.js';

const MAX_TABLES = 10;

/** The state of the installation. */
@Injectable()
export class SystemStateService {
  private readonly version = productVersion();

  constructor(
    private readonly database: SystemStateRepository,
    private readonly clock: Clock,
    private readonly config: AppConfig,
    private readonly storage: Storage,
    private readonly jobs: JobRepository,
    private readonly mailState: MailStateRepository,
    private readonly identity: StorageOwnershipGuard,
    private readonly disk: DiskReserve,
    private readonly installation: InstallationRepository,
  ) {}

  /** Returns the current state of this process, the database and the storage; sizes in bytes. */
  async getState(): Promise<SystemStateDto> {
    return {
      ...(await this.database.fetchDatabaseState()),
      version: this.version,
      nodeVersion: process.version,
      startedAt: addMilliseconds(this.clock.now(), -Math.round(process.uptime()) * SECOND),
      memoryBytes: process.memoryUsage.rss(),
      tables: await this.database.findLargestTables(MAX_TABLES),
      storageType: this.storage.type,
      storage: await this.getStorageState(),
      mailServer: await this.mailState.getState(),
      sendsMail: this.config.smtpUrl !== null,
      queues: await this.jobs.countByQueue(),
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
}
