import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { addMilliseconds, Clock, HOUR } from '../clock/clock.js';
import { query } from '../database/query.js';
import { defineJob, LONG_STATEMENT_LIMIT, type JobDefinition } from '../jobs/job-definition.js';
import { JobsService } from '../jobs/jobs.service.js';
import { OnJob } from '../jobs/on-job.decorator.js';
import { HourlyNoticeSchema } from './hourly-notice.entity.js';

type Tables = typeof HourlyNoticeSchema;

/** Forgets when people were told of what gathers, daily. */
export const purgeHourlyNotices = defineJob('notices.purge', {
  queue: 'maintenance',
  cron: '23 3 * * *',
  statementLimit: LONG_STATEMENT_LIMIT,
});

/** Within this time after a mail of its kind there is no second one: what happens meanwhile is told together. */
const THROTTLE_WINDOW = HOUR;

export interface ThrottledNotification<P extends object> {
  readonly definition: JobDefinition<P>;
  readonly payload: P;
  /** Whom or what it is about; 0 where there is only one. */
  readonly subjectId: number;
  /** Of the job that asks. */
  readonly jobId: number;
}

/** Mails that gather: the first piece of news is told at once, and what follows within the hour after it in one mail. */
@Injectable()
export class NotificationThrottleService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly jobs: JobsService,
  ) {}

  /**
   * Asks, in the caller's transaction, whether a job may tell now. True for one job in an hour about one subject, at each
   * of its tries; any other is put off to the end of the hour.
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

  /** Forgets what was told so long ago that it puts nothing off any more. */
  @OnJob(purgeHourlyNotices)
  async purgeExpired(): Promise<void> {
    await query<Tables>(this.em)
      .deleteFrom('hourly_notices')
      .where('told_at', '<', addMilliseconds(this.clock.now(), -2 * THROTTLE_WINDOW))
      .execute();
  }
}
