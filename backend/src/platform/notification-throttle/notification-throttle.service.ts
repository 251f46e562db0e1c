import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { addMilliseconds, Clock, HOUR } from '../clock/clock.js';
import { defineJob, LONG_STATEMENT_LIMIT, type JobDefinition } from '../jobs/job-definition.js';
import { JobsService } from '../jobs/jobs.service.js';
import { OnJob } from '../jobs/on-job.decorator.js';
import { HourlyNoticeRepository } from './hourly-notice.repository.js';

/** Deletes expired throttle rows daily. */
export const purgeHourlyNotices = defineJob('notification-throttle.purge-hourly-notices', {
  queue: 'maintenance',
  cron: '23 3 * * *',
  statementLimit: LONG_STATEMENT_LIMIT,
});

/** Minimum time between two emails of a kind, in milliseconds; events in between share one email. */
const THROTTLE_WINDOW = HOUR;

export interface ThrottledNotification<P extends object> {
  readonly definition: JobDefinition<P>;
  readonly payload: P;
  /** The user or zone it is about; 0 when there is only one subject. */
  readonly subjectId: number;
  /** The job that wants to send. */
  readonly jobId: number;
}

/** Throttles notification emails: the first event is sent at once, and events within the next hour share one email. */
@Injectable()
export class NotificationThrottleService {
  constructor(
    private readonly hourlyNotices: HourlyNoticeRepository,
    private readonly clock: Clock,
    private readonly jobs: JobsService,
  ) {}

  /**
   * Decides, in the caller's transaction, whether a job may send now. Returns true for one job per hour and subject,
   * and for every retry of that job; postpones any other job to the end of the hour.
   */
  async tryAcquire<P extends object>(em: EntityManager, notification: ThrottledNotification<P>): Promise<boolean> {
    const { definition, payload, subjectId, jobId } = notification;
    const now = this.clock.now();
    const key = { kind: definition.name, subjectId };
    const windowStart = addMilliseconds(now, -THROTTLE_WINDOW);
    if (await this.hourlyNotices.upsertNotice(em, key, jobId, now, windowStart)) return true;
    const lastSentAt = await this.hourlyNotices.getLastSentAt(em, key);
    await this.jobs.enqueue(em, definition, payload, { runAt: addMilliseconds(lastSentAt, THROTTLE_WINDOW) });
    return false;
  }

  @OnJob(purgeHourlyNotices)
  async purgeExpired(): Promise<void> {
    await this.hourlyNotices.deleteSentBefore(addMilliseconds(this.clock.now(), -2 * THROTTLE_WINDOW));
  }
}
