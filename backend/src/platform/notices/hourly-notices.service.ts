import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { after, Clock, HOUR } from '../clock/clock.js';
import { query } from '../database/query.js';
import { defineJob, LONG_STATEMENTS, type JobDefinition } from '../jobs/job-definition.js';
import { Jobs } from '../jobs/jobs.service.js';
import { OnJob } from '../jobs/on-job.decorator.js';
import { HourlyNoticeSchema } from './hourly-notice.entity.js';

type Tables = typeof HourlyNoticeSchema;

/** Forgets when people were told of what gathers, daily. */
export const purgeHourlyNotices = defineJob('notices.purge', {
  queue: 'maintenance',
  cron: '23 3 * * *',
  statementLimit: LONG_STATEMENTS,
});

/** Within this time after a mail of its kind there is no second one: what happens meanwhile is told together. */
const TOGETHER = HOUR;

export interface HourlyNotice<P extends object> {
  readonly definition: JobDefinition<P>;
  readonly payload: P;
  /** Whom or what it is about; 0 where there is only one. */
  readonly subjectId: number;
  /** Of the job that asks. */
  readonly jobId: number;
}

/** Mails that gather: the first piece of news is told at once, and what follows within the hour after it in one mail. */
@Injectable()
export class HourlyNotices {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
  ) {}

  /**
   * Asks, in the caller's transaction, whether a job may tell now. True for one job in an hour about one subject, at each
   * of its tries; any other is put off to the end of the hour.
   */
  async claim<P extends object>(em: EntityManager, notice: HourlyNotice<P>): Promise<boolean> {
    const { definition, payload, subjectId, jobId } = notice;
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
              where('hourly_notices.told_at', '<=', after(now, -TOGETHER)),
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
    await this.jobs.enqueue(em, definition, payload, { runAt: after(new Date(last.toldAt), TOGETHER) });
    return false;
  }

  /** Forgets what was told so long ago that it puts nothing off any more. */
  @OnJob(purgeHourlyNotices)
  async purge(): Promise<void> {
    await query<Tables>(this.em)
      .deleteFrom('hourly_notices')
      .where('told_at', '<', after(this.clock.now(), -2 * TOGETHER))
      .execute();
  }
}
