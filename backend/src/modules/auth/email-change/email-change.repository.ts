import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import type { UserSchema } from '../entities/user.entity.js';
import type { EmailChangeSchema } from './entities/email-change.entity.js';

type Tables = typeof EmailChangeSchema | typeof UserSchema;

/** Completed changes of address. */
@Injectable()
export class EmailChangeRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** @returns the new change's id */
  async insertChange(
    em: EntityManager,
    change: {
      readonly userId: number;
      readonly oldEmail: string;
      readonly newEmail: string;
      readonly byAdmin: boolean;
    },
  ): Promise<number> {
    const { userId, oldEmail, newEmail, byAdmin } = change;
    const { id } = await query<Tables>(em)
      .insertInto('email_changes')
      .values({
        user_id: userId,
        old_email: oldEmail,
        new_email: newEmail,
        by_admin: byAdmin,
        changed_at: this.clock.now(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  /** Returns the ids of all changes of a user. */
  async findChangeIds(em: EntityManager, userId: number): Promise<number[]> {
    const changes = await query<Tables>(em)
      .selectFrom('email_changes')
      .select('id')
      .where('user_id', '=', userId)
      .execute();
    return changes.map(({ id }) => id);
  }

  /** Returns a change that can be undone. */
  async findOpenChange(id: number) {
    const row = await query<Tables>(this.em)
      .selectFrom('email_changes')
      .select(['id as changeId', 'user_id as userId', 'old_email as oldEmail', 'changed_at as changedAt'])
      .where('id', '=', id)
      .where('undone_at', 'is', null)
      .executeTakeFirst();
    return row ?? null;
  }

  /** Returns a change that can be undone, with what is needed to email both addresses. */
  async findChangeToNotify(id: number) {
    const row = await query<Tables>(this.em)
      .selectFrom('email_changes as c')
      .innerJoin('users as u', 'u.id', 'c.user_id')
      .select(['c.old_email as oldEmail', 'c.new_email as newEmail', 'c.by_admin as byAdmin'])
      .select(['c.changed_at as changedAt', 'u.language as language'])
      .where('c.id', '=', id)
      .where('c.undone_at', 'is', null)
      .where('u.erased_at', 'is', null)
      .executeTakeFirst();
    return row ?? null;
  }

  /** Marks a change and later ones of the same user as undone. @returns the ids of those that were open */
  async closeChangesFrom(em: EntityManager, userId: number, id: number): Promise<number[]> {
    const closed = await query<Tables>(em)
      .updateTable('email_changes')
      .set({ undone_at: this.clock.now() })
      .where('user_id', '=', userId)
      .where('id', '>=', id)
      .where('undone_at', 'is', null)
      .returning('id')
      .execute();
    return closed.map((row) => row.id);
  }

  async deleteOldChanges(until: Date): Promise<void> {
    await query<Tables>(this.em).deleteFrom('email_changes').where('changed_at', '<=', until).execute();
  }
}
