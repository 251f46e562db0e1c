import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { Audit } from '../../../../platform/audit/audit.service.js';
import { InstallationRecord } from '../../../../platform/installation/installation-record.service.js';
import type { ClockTick, JobContext } from '../../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../../platform/jobs/on-job.decorator.js';
import { emptyQuarantine } from '../../files.jobs.js';
import { Quarantine } from './quarantine.service.js';

/** Removes for good what has lain in quarantine for its time. */
@Injectable()
export class QuarantineEmptying {
  private readonly logger = new Logger(QuarantineEmptying.name);

  constructor(
    private readonly em: EntityManager,
    private readonly audit: Audit,
    private readonly installation: InstallationRecord,
    private readonly quarantine: Quarantine,
  ) {}

  /** Only while rows and objects fit together: after a comparison that has stopped, rows are missing, and with them those that name what lies here. */
  @OnJob(emptyQuarantine)
  async run(_tick: ClockTick, { signal }: JobContext): Promise<void> {
    const last = await this.installation.lastComparison();
    if (!last) return;
    if (last.stopped) {
      this.logger.warn('Nothing is removed from quarantine: the last comparison of rows and objects has stopped');
      return;
    }
    const restored = await this.quarantine.takeBackNamed(signal);
    const removed = await this.quarantine.removeOld(signal);
    if (removed + restored === 0) return;
    await this.audit.record(this.em, { type: 'quarantine.emptied', params: { removed, restored } });
  }
}
