import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { SECOND } from '../../../../platform/clock/clock.js';
import { query } from '../../../../platform/database/query.js';
import type { UploadLockSchema } from '../../entities/upload.entity.js';

type Tables = typeof UploadLockSchema;

/**
 * Locks of resumable uploads, which their holders renew. Times are those of the database, because several processes
 * compare them.
 */
@Injectable()
export class UploadLockRepository {
  constructor(private readonly em: EntityManager) {}

  /**
   * Acquires a lock that is free or expired; otherwise marks it as wanted.
   * @param lifetime in milliseconds
   * @returns whether the token now holds it
   */
  async tryAcquire(id: string, token: string, lifetime: number): Promise<boolean> {
    const { rows } = await sql<{ token: string }>`
      insert into upload_locks as l (id, token, held_until) values (${id}, ${token}, ${expirySql(lifetime)})
      on conflict (id) do update set
        token = case when l.held_until < now() then excluded.token else l.token end,
        held_until = case when l.held_until < now() then excluded.held_until else l.held_until end,
        wanted = l.held_until >= now()
      returning token`.execute(this.db());
    return rows[0]?.token === token;
  }

  /**
   * Renews a held lock.
   * @param lifetime in milliseconds
   * @returns `wanted` if another request waits for it, `lost` if the token no longer holds it
   */
  async renew(id: string, token: string, lifetime: number): Promise<'held' | 'wanted' | 'lost'> {
    const row = await this.db()
      .updateTable('upload_locks')
      .set({ held_until: expirySql(lifetime) })
      .where('id', '=', id)
      .where('token', '=', token)
      .returning('wanted')
      .executeTakeFirst();
    if (!row) return 'lost';
    return row.wanted ? 'wanted' : 'held';
  }

  async release(id: string, token: string): Promise<void> {
    await this.db().deleteFrom('upload_locks').where('id', '=', id).where('token', '=', token).execute();
  }

  /** Deletes locks of dead processes, long after they expired. */
  async deleteStale(): Promise<void> {
    await this.db()
      .deleteFrom('upload_locks')
      .where('held_until', '<', sql<Date>`now() - interval '1 hour'`)
      .execute();
  }

  /** Requests outlive the context in which they began. */
  private db() {
    return query<Tables>(this.em.fork());
  }
}

const expirySql = (lifetime: number) => sql<Date>`now() + ${lifetime / SECOND} * interval '1 second'`;
