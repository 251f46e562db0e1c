import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { AuditRepository } from '../../../platform/audit/audit.repository.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { InstallationRepository } from '../../../platform/installation/installation.repository.js';
import type { CronRunPayload, JobContext } from '../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { sweepObjects } from '../files.jobs.js';
import { ObjectComparisonService, type ComparisonResult } from './quarantine/object-comparison.service.js';
import { QuarantineService } from './quarantine/quarantine.service.js';
import { SweepMailer } from './quarantine/sweep-mailer.js';

/** Maximum number of file ids in the audit entry of one sweep. */
const MAX_LISTED = 100;
/** Up to this number, orphans are quarantined regardless of their share of all objects. */
const MAX_UNSUSPICIOUS_ORPHANS = 20;
/** With fewer stored objects per orphan than this, something else is probably wrong, and nothing is moved. */
const MIN_OBJECTS_PER_ORPHAN = 100;

@Injectable()
export class OrphanSweepService {
  private readonly logger = new Logger(OrphanSweepService.name);
  constructor(
    private readonly em: EntityManager,
    private readonly audit: AuditRepository,
    private readonly installation: InstallationRepository,
    private readonly objectComparison: ObjectComparisonService,
    private readonly quarantine: QuarantineService,
    private readonly mailer: SweepMailer,
  ) {}

  /**
   * Last safety net for all code that writes and deletes objects. Quarantines objects that no row references and
   * reports referenced objects that are missing. If very many objects are unreferenced, rows are probably missing
   * instead: nothing is moved and super admins are notified.
   */
  @OnJob(sweepObjects)
  async sweep(_payload: CronRunPayload, { signal }: JobContext): Promise<void> {
    const restored = await this.quarantine.restoreReferenced(signal);
    const findings = await this.objectComparison.compareObjects(signal);
    if (!findings) return;
    const { objects, orphanCount, missing } = findings;
    const stopped = orphanCount > MAX_UNSUSPICIOUS_ORPHANS && orphanCount * MIN_OBJECTS_PER_ORPHAN > objects;
    if (!stopped) await this.quarantine.quarantineObjects(findings.orphans);
    const moved = stopped ? 0 : findings.orphans.length;
    if (stopped) await this.reportStopped(findings);
    await this.report({ moved, restored }, findings);
    const at = findings.at.toISOString();
    await this.installation.saveComparison({
      at,
      objects,
      strays: orphanCount,
      moved,
      missing: missing.length,
      stopped,
    });
  }

  private async reportStopped({ objects, orphanCount }: ComparisonResult): Promise<void> {
    this.logger.error({ objects, orphanCount }, 'Too many objects look orphaned; none was moved');
    await inTransaction(this.em, async (em) => {
      const params = { objects, strays: orphanCount };
      await this.audit.record(em, { type: 'storage.sweep-stopped', params });
      await this.mailer.enqueueEmails(em, params);
    });
  }

  private async report(counts: Record<'moved' | 'restored', number>, { missing }: ComparisonResult): Promise<void> {
    if (Object.values(counts).every((count) => count === 0) && missing.length === 0) return;
    const params = { ...counts, missing: missing.length, fileIds: missing.sort((a, b) => a - b).slice(0, MAX_LISTED) };
    await this.audit.record(this.em, { type: 'storage.swept', params });
    if (missing.length > 0) this.logger.error(params, 'Files whose object is missing');
    else this.logger.warn(params, 'Moved orphaned objects to quarantine or restored referenced ones');
  }
}
