import { MikroORM, type EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { addMilliseconds, MINUTE } from '../clock/clock.js';
import { query } from '../database/query.js';
import type { MailStateSchema } from './mail-state.entity.js';

/** Reads and changes the single row about the mail server. Times are written at most once a minute. */
@Injectable()
export class MailStateRepository {
  constructor(private readonly orm: MikroORM) {}

  /** Returns the state as seen by all processes. */
  getState() {
    return this.table()
      .selectFrom('mail_state')
      .select(['taken_at as takenAt', 'refusing_since as refusingSince', 'refused_at as refusedAt', 'reason'])
      .executeTakeFirstOrThrow();
  }

  async clearState(): Promise<void> {
    await this.table()
      .updateTable('mail_state')
      .set({ taken_at: null, refusing_since: null, refused_at: null, reason: null })
      .where(sql<boolean>`coalesce(taken_at, refusing_since, refused_at) is not null`)
      .execute();
  }

  async recordSuccess(now: Date): Promise<void> {
    await this.table()
      .updateTable('mail_state')
      .set({ taken_at: now, refusing_since: null })
      .where(
        sql<boolean>`(refusing_since is not null or taken_at is null or taken_at < ${addMilliseconds(now, -MINUTE)})`,
      )
      .execute();
  }

  async recordFailure(now: Date, reason: string): Promise<void> {
    await this.table()
      .updateTable('mail_state')
      .set(({ fn, val }) => ({ refusing_since: fn.coalesce('refusing_since', val(now)), refused_at: now, reason }))
      .where(
        sql<boolean>`(refusing_since is null or refused_at is null or refused_at < ${addMilliseconds(now, -MINUTE)})`,
      )
      .execute();
  }

  private table() {
    return query<typeof MailStateSchema>(this.orm.em.fork() as EntityManager);
  }
}
