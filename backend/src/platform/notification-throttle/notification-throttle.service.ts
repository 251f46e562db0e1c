import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { addMilliseconds, Clock, HOUR } from '../clock/clock.js';
import { query } from '../database/query.js';
import { defineJob, LONG_STATEMENT_LIMIT, type JobDefinition } from '../jobs/job-definition.js';
import { JobsService } from '../jobs/jobs.service.js';
import { OnJob } from '../jobs/on-job.decorator.js';
import { HourlyNoticeSchema } from './hourly-notice.entity.js';

type Tables = typeof HourlyNoticeSchema;

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
    private readonly em: EntityManager,
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
    const news = { job_id: jobId, told_at: now };
    const claimed = await query<Tables>(em)
      .insertInto('hourly_notices')
      .values({ kind: definition.name, subject_id: subjectId, ...news })
      .onConflict((conflict) =>
        conflict
          .columns(['kind', 'subject_id'])
          .doUpdateSet(news)
          .where((where) =>
            where.or([
              where('hourly_notices.told_at', '<=', addMilliseconds(now, -THROTTLE_WINDOW)),
              where('hourly_notices.job_id', '=', jobId),
            ]),
          ),
      )
      .returning('kind')
      .executeTakeFirst();
    if (claimed) return true;
    const last = await query<Tables>(em)
      .selectFrom('hourly_notices')
      .select('told_at as toldAt')
      .where('kind', '=', definition.name)
      .where('subject_id', '=', subjectId)
      .executeTakeFirstOrThrow();
    await this.jobs.enqueue(em, definition, payload, {
      runAt: addMilliseconds(new Date(last.toldAt), THROTTLE_WINDOW),
    });
    return false;
  }

  @OnJob(purgeHourlyNotices)
  async purgeExpired(): Promise<void> {
    await query<Tables>(this.em)
      .deleteFrom('hourly_notices')
      .where('told_at', '<', addMilliseconds(this.clock.now(), -2 * THROTTLE_WINDOW))
      .execute();
  }
}
