import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { addMilliseconds, Clock, DAY } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import type { UserSchema } from '../../auth/entities/user.entity.js';
import type { AdminDigestContent } from './admin-digest.email.js';
import type { AdminDigestSchema } from './admin-digest.entity.js';

/** Names of each kind per email. */
const MAX_NAMES = 5;

export interface DigestPeriod {
  readonly since: Date;
  readonly until: Date;
}

/** The days for which digests were sent, and what is in a digest. */
@Injectable()
export class AdminDigestRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * Claims a day for a job, starting at the end of the last digest. A retry of the job gets the same period.
   * @param day "2026-11-22", UTC
   * @returns null if another job has claimed the day
   */
  async claimDay(day: string, jobId: number): Promise<DigestPeriod | null> {
    const now = this.clock.now();
    const { rows } = await sql<DigestPeriod>`
      insert into staff_news (day, job_id, since, until)
      select ${day}::date, ${jobId}, coalesce((select max(until) from staff_news), ${addMilliseconds(now, -DAY)}::timestamptz),
        ${now}::timestamptz
      on conflict (day) do update set job_id = excluded.job_id where staff_news.job_id = excluded.job_id
      returning since, until`.execute(query<typeof AdminDigestSchema>(this.em));
    const [period] = rows;
    return period ? { since: new Date(period.since), until: new Date(period.until) } : null;
  }

  /** Returns what happened after `since`, up to and including `until`. */
  async findContent({ since, until }: DigestPeriod): Promise<AdminDigestContent> {
    const { rows } = await sql<AdminDigestContent>`
      with new_suggestions as (select id, title from feature_suggestions where created_at > ${since} and created_at <= ${until}),
      dead as (select name from jobs where state = 'dead' and dead_at > ${since} and dead_at <= ${until})
      select (select count(*)::int from new_suggestions) as suggestions,
        array(select title from new_suggestions order by id limit ${MAX_NAMES}) as titles,
        (select count(*)::int from dead) as "deadJobs",
        array(select distinct name from dead order by name limit ${MAX_NAMES}) as "jobNames",
        (select count(distinct (source, purchase_id))::int from order_troubles t
          where t.resolved_at is null and t.since > ${since} and t.since <= ${until}) as orders`.execute(
      this.em.getKysely(),
    );
    return rows[0]!;
  }

  /** Returns the administrators who subscribed to the digest. */
  findRecipients() {
    return query<typeof UserSchema>(this.em)
      .selectFrom('users')
      .select(['id', 'email', 'language'])
      .where((row) => row.or([row('role', '<>', 'user'), row('is_super_admin', '=', true)]))
      .where('notify_administration', '=', true)
      .where('deactivated_at', 'is', null)
      .orderBy('id')
      .execute();
  }
}
