import { MikroORM } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../clock/clock.js';
import { query } from '../../database/query.js';
import type { Instance, InstanceRole, InstanceSchema } from './instance.entity.js';

/** An instance counts as alive if its last heartbeat is younger than this, in seconds. */
export const ALIVE_SECONDS = 60;

/** The running processes. Heartbeats use the database's clock, which all processes share. */
@Injectable()
export class InstanceRepository {
  constructor(
    private readonly orm: MikroORM,
    private readonly clock: Clock,
  ) {}

  /** Inserts a process, or updates the time of its last heartbeat. */
  async upsertHeartbeat(instance: Pick<Instance, 'id' | 'role' | 'host'> & { port: number | null }): Promise<void> {
    const row = { ...instance, seen_at: this.clock.databaseNow() };
    await this.table()
      .insertInto('instances')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: row.seen_at }))
      .execute();
  }

  /** Deletes the rows of killed processes. */
  async deleteStale(): Promise<void> {
    await this.table()
      .deleteFrom('instances')
      .where(sql<boolean>`seen_at < ${this.clock.databaseNow()} - interval '1 day'`)
      .execute();
  }

  async deleteInstance(id: string): Promise<void> {
    await this.table().deleteFrom('instances').where('id', '=', id).execute();
  }

  /** Returns the number of live processes with a role. */
  async countAlive(role: InstanceRole): Promise<number> {
    const { count } = await this.table()
      .selectFrom('instances')
      .select(sql<number>`count(*)::int`.as('count'))
      .where('role', '=', role)
      .where(sql<boolean>`seen_at > ${this.clock.databaseNow()} - make_interval(secs => ${ALIVE_SECONDS})`)
      .executeTakeFirstOrThrow();
    return count;
  }

  private table() {
    return query<typeof InstanceSchema>(this.orm.em.fork());
  }
}
