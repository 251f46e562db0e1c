import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { query } from '../database/query.js';
import type { HourlyNoticeSchema } from './hourly-notice.entity.js';

/** What a notification is about. */
interface NoticeKey {
  readonly kind: string;
  readonly subjectId: number;
}

/** When each kind of notification was last sent per subject. */
@Injectable()
export class HourlyNoticeRepository {
  constructor(private readonly em: EntityManager) {}

  /**
   * Records that a job sends a notification at `now`, unless another job has sent one after `before`.
   * @returns false when another job has
   */
  async upsertNotice(
    em: EntityManager,
    { kind, subjectId }: NoticeKey,
    jobId: number,
    now: Date,
    before: Date,
  ): Promise<boolean> {
    const news = { job_id: jobId, told_at: now };
    const claimed = await query<typeof HourlyNoticeSchema>(em)
      .insertInto('hourly_notices')
      .values({ kind, subject_id: subjectId, ...news })
      .onConflict((conflict) =>
        conflict
          .columns(['kind', 'subject_id'])
          .doUpdateSet(news)
          .where((where) =>
            where.or([where('hourly_notices.told_at', '<=', before), where('hourly_notices.job_id', '=', jobId)]),
          ),
      )
      .returning('kind')
      .executeTakeFirst();
    return claimed !== undefined;
  }

  /** Returns when a recorded notification was last sent. */
  async getLastSentAt(em: EntityManager, { kind, subjectId }: NoticeKey): Promise<Date> {
    const last = await query<typeof HourlyNoticeSchema>(em)
      .selectFrom('hourly_notices')
      .select('told_at as toldAt')
      .where('kind', '=', kind)
      .where('subject_id', '=', subjectId)
      .executeTakeFirstOrThrow();
    return new Date(last.toldAt);
  }

  async deleteSentBefore(before: Date): Promise<void> {
    await query<typeof HourlyNoticeSchema>(this.em)
      .deleteFrom('hourly_notices')
      .where('told_at', '<', before)
      .execute();
  }
}
