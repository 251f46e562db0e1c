import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { Audit } from '../../../platform/audit/audit.service.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { InstallationRecord } from '../../../platform/installation/installation-record.service.js';
import type { ClockTick, JobContext } from '../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { sweepObjects } from '../files.jobs.js';
import { ObjectComparison, type Findings } from './quarantine/object-comparison.service.js';
import { Quarantine } from './quarantine/quarantine.service.js';
import { SweepMailer } from './quarantine/sweep-mailer.js';

/** Files named in the record of one sweep. */
const NAMED = 100;
/** So few objects are put away without asking what part of all they are. */
const FEW = 20;
/** When more than one object in so many would go, something else is wrong. */
const ONE_IN = 100;

@Injectable()
export class ObjectSweep {
  private readonly logger = new Logger(ObjectSweep.name);
  constructor(
    private readonly em: EntityManager,
    private readonly audit: Audit,
    private readonly installation: InstallationRecord,
    private readonly comparison: ObjectComparison,
    private readonly quarantine: Quarantine,
    private readonly mailer: SweepMailer,
  ) {}

  /**
   * The last net under everything that writes and removes objects: what nothing names goes into quarantine, what is
   * named and not there is reported. When much is named by nothing, rows are missing rather than objects too many:
   * nothing is moved then, and super admins are told.
   */
  @OnJob(sweepObjects)
  async run(_tick: ClockTick, { signal }: JobContext): Promise<void> {
    const restored = await this.quarantine.takeBackNamed(signal);
    const findings = await this.comparison.compare(signal);
    if (!findings) return;
    const { objects, strayCount, missing } = findings;
    const stopped = strayCount > FEW && strayCount * ONE_IN > objects;
    if (!stopped) await this.quarantine.put(findings.strays);
    const moved = stopped ? 0 : findings.strays.length;
    if (stopped) await this.tellStopped(findings);
    await this.report({ moved, restored }, findings);
    const at = findings.at.toISOString();
    await this.installation.compared({ at, objects, strays: strayCount, moved, missing: missing.length, stopped });
  }

  private async tellStopped({ objects, strayCount }: Findings): Promise<void> {
    this.logger.error({ objects, strays: strayCount }, 'Too many objects are named by nothing: none was moved');
    await inTransaction(this.em, async (em) => {
      const params = { objects, strays: strayCount };
      await this.audit.record(em, { type: 'storage.sweep-stopped', params });
      await this.mailer.order(em, params);
    });
  }

  private async report(counts: Record<'moved' | 'restored', number>, { missing }: Findings): Promise<void> {
    if (Object.values(counts).every((count) => count === 0) && missing.length === 0) return;
    const params = { ...counts, missing: missing.length, fileIds: missing.sort((a, b) => a - b).slice(0, NAMED) };
    await this.audit.record(this.em, { type: 'storage.swept', params });
    if (missing.length > 0) this.logger.error(params, 'Files whose object is missing');
    else this.logger.warn(params, 'Objects that nothing names were moved into quarantine, or named ones put back');
  }
}
