import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { after, Clock, DAY } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import { JobSchema } from '../../platform/jobs/job.entity.js';
import { JobHandler } from '../../platform/jobs/job-handler.decorator.js';
import { Jobs } from '../../platform/jobs/jobs.service.js';
import { UserSchema } from '../auth/entities/user.entity.js';
import { erasePerson } from './erase-person.job.js';
import { ErasureSchema } from './erasure.entity.js';
import { resumeErasures } from './resume-erasures.job.js';

/** By then the farewell was tried often enough. */
const KEEP_ADDRESS = 7 * DAY;

type Tables = typeof ErasureSchema | typeof UserSchema | typeof JobSchema;

@Injectable()
@JobHandler(resumeErasures)
export class ResumeErasuresHandler {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
  ) {}

  async handle(): Promise<void> {
    for (const userId of await this.stranded()) await this.jobs.enqueue(this.em, erasePerson, { userId });
    await query<Tables>(this.em)
      .deleteFrom('erasures')
      .where('requested_at', '<=', after(this.clock.now(), -KEEP_ADDRESS))
      .where((where) =>
        where.not(where.exists(where.selectFrom('users').select('id').whereRef('users.id', '=', 'erasures.user_id'))),
      )
      .execute();
  }

  /** People whose row is still there, and for whom no job is on its way. */
  private async stranded(): Promise<number[]> {
    const rows = await query<Tables>(this.em)
      .selectFrom('erasures as e')
      .innerJoin('users as u', 'u.id', 'e.user_id')
      .select('e.user_id as userId')
      .where((where) =>
        where.not(
          where.exists(
            where
              .selectFrom('jobs as j')
              .select('j.id')
              .where('j.name', '=', erasePerson.name)
              .where('j.state', '!=', 'dead')
              .where(sql<boolean>`(j.payload ->> 'userId')::bigint = e.user_id`),
          ),
        ),
      )
      .execute();
    return rows.map((row) => row.userId);
  }
}
