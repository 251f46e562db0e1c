import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { query } from '../../../platform/database/query.js';
import type { JobSchema } from '../../../platform/jobs/job.entity.js';
import type { User, UserSchema } from '../../auth/entities/user.entity.js';
import { Erasure, type ErasureSchema } from './erasure.entity.js';

type Tables = typeof ErasureSchema | typeof UserSchema | typeof JobSchema;

/** Account deletions in progress, and the row of the user who is deleted. */
@Injectable()
export class ErasureRepository {
  constructor(private readonly em: EntityManager) {}

  findErasure(userId: number): Promise<Erasure | null> {
    return this.em.findOne(Erasure, { userId });
  }

  /** Stores what is needed to finish the deletion of a locked user. */
  async insertErasure(em: EntityManager, { id, email, language }: User, requestedAt: Date): Promise<void> {
    await query<Tables>(em)
      .insertInto('erasures')
      .values({ user_id: id, email, language, requested_at: requestedAt })
      .execute();
  }

  /** Removes from the row of a locked user everything that would allow signing in or finding the user. */
  async anonymizeUser(em: EntityManager, user: User, erasedAt: Date): Promise<void> {
    em.assign(user, {
      email: `erased-${user.id}@erased.invalid`,
      erasedAt,
      password: null,
      username: null,
      firstName: null,
      lastName: null,
      profileImageUrl: null,
      postalAddress: null,
      timeZone: null,
      startSteps: null,
      role: 'user',
      isSuperAdmin: false,
      emailVerified: false,
      hasExternalIdentity: false,
    });
    await em.flush();
  }

  /** Deletes the row of an anonymised user. @returns false if a concurrent call has deleted it */
  async deleteUser(em: EntityManager, userId: number): Promise<boolean> {
    const deleted = await query<Tables>(em)
      .deleteFrom('users')
      .where('id', '=', userId)
      .where('erased_at', 'is not', null)
      .executeTakeFirst();
    return deleted.numDeletedRows > 0n;
  }

  /** Returns the users whose row still exists and for whom no job of this name is pending. */
  async findUsersWithoutJob(jobName: string): Promise<number[]> {
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
              .where('j.name', '=', jobName)
              .where('j.state', '!=', 'dead')
              .where(sql<boolean>`(j.payload ->> 'userId')::bigint = e.user_id`),
          ),
        ),
      )
      .execute();
    return rows.map((row) => row.userId);
  }

  async deleteErasure(userId: number): Promise<void> {
    await query<Tables>(this.em).deleteFrom('erasures').where('user_id', '=', userId).execute();
  }

  /** Deletes erasures requested until an instant, if the user's row is deleted. */
  async deleteOldErasures(until: Date): Promise<void> {
    await query<Tables>(this.em)
      .deleteFrom('erasures')
      .where('requested_at', '<=', until)
      .where((where) =>
        where.not(where.exists(where.selectFrom('users').select('id').whereRef('users.id', '=', 'erasures.user_id'))),
      )
      .execute();
  }
}
