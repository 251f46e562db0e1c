import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { AuditRepository } from '../../../../platform/audit/audit.repository.js';
import { InstallationRepository } from '../../../../platform/installation/installation.repository.js';
import type { CronRunPayload, JobContext } from '../../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../../platform/jobs/on-job.decorator.js';
import { emptyQuarantine } from '../../files.jobs.js';
import { QuarantineService } from './quarantine.service.js';

/** Permanently deletes objects whose time in quarantine is over. */
@Injectable()
export class QuarantineCleanupService {
  private readonly logger = new Logger(QuarantineCleanupService.name);

  constructor(
    private readonly em: EntityManager,
    private readonly audit: AuditRepository,
    private readonly installation: InstallationRepository,
    private readonly quarantine: QuarantineService,
  ) {}

  /**
   * Runs only if the last orphan sweep completed. After a stopped sweep, rows are probably missing, including those
   * that reference quarantined objects.
   */
  @OnJob(emptyQuarantine)
  async emptyQuarantine(_payload: CronRunPayload, { signal }: JobContext): Promise<void> {
    const last = await this.installation.getLastComparison();
    if (!last) return;
    if (last.stopped) {
      this.logger.warn("Quarantine isn't emptied because the last orphan sweep was stopped");
      return;
    }
    const restored = await this.quarantine.restoreReferenced(signal);
    const removed = await this.quarantine.deleteExpired(signal);
    if (removed + restored === 0) return;
    await this.audit.record(this.em, { type: 'quarantine.emptied', params: { removed, restored } });
  }
}
