import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { AuditService } from '../../../../platform/audit/audit.service.js';
import { InstallationRepository } from '../../../../platform/installation/installation.repository.js';
import type { CronRunPayload, JobContext } from '../../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../../platform/jobs/on-job.decorator.js';
import { emptyQuarantine } from '../../files.jobs.js';
import { QuarantineService } from './quarantine.service.js';

/** Removes for good what has lain in quarantine for its time. */
@Injectable()
export class QuarantineCleanupService {
  private readonly logger = new Logger(QuarantineCleanupService.name);

  constructor(
    private readonly em: EntityManager,
    private readonly audit: AuditService,
    private readonly installation: InstallationRepository,
    private readonly quarantine: QuarantineService,
  ) {}

  /** Only while rows and objects fit together: after a comparison that has stopped, rows are missing, and with them those that name what lies here. */
  @OnJob(emptyQuarantine)
  async cleanUp(_tick: CronRunPayload, { signal }: JobContext): Promise<void> {
    const last = await this.installation.lastComparison();
    if (!last) return;
    if (last.stopped) {
      this.logger.warn('Nothing is removed from quarantine: the last comparison of rows and objects has stopped');
      return;
    }
    const restored = await this.quarantine.restoreReferenced(signal);
    const removed = await this.quarantine.deleteExpired(signal);
    if (removed + restored === 0) return;
    await this.audit.record(this.em, { type: 'quarantine.emptied', params: { removed, restored } });
  }
}
