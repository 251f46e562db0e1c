import { MikroORM } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../clock/clock.js';
import { query } from '../../database/query.js';
import type { InstanceRole, InstanceSchema } from './instance.entity.js';

/** What a process tells the others about its storage. */
export interface StorageReport {
  readonly storageUrl: string | null;
  /** The move of the files for which the process is ready. */
  readonly storageMoveId: number | null;
  /** Why it can't take part in the move. */
  readonly storageProblem: string | null;
}

/** A running process. */
export interface InstanceState extends StorageReport {
  readonly role: InstanceRole;
  readonly host: string;
  readonly port: number | null;
}

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
  async upsertHeartbeat({ id, role, host, port, ...storage }: InstanceState & { readonly id: string }): Promise<void> {
    const changes = {
      seen_at: this.clock.databaseNow(),
      storage_url: storage.storageUrl,
      storage_move_id: storage.storageMoveId,
      storage_problem: storage.storageProblem,
    };
    await this.table()
      .insertInto('instances')
      .values({ id, role, host, port, ...changes })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(changes))
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
      .where(this.isAlive())
      .executeTakeFirstOrThrow();
    return count;
  }

  /** Returns the live processes. */
  listAlive(): Promise<InstanceState[]> {
    return this.table()
      .selectFrom('instances')
      .select(['role', 'host', 'port', 'storage_url as storageUrl'])
      .select(['storage_move_id as storageMoveId', 'storage_problem as storageProblem'])
      .where(this.isAlive())
      .orderBy('role')
      .orderBy('host')
      .orderBy('port')
      .execute();
  }

  private isAlive() {
    return sql<boolean>`seen_at > ${this.clock.databaseNow()} - make_interval(secs => ${ALIVE_SECONDS})`;
  }

  private table() {
    return query<typeof InstanceSchema>(this.orm.em.fork());
  }
}
