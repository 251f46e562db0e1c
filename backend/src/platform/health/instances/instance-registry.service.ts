import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { MikroORM } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock, SECOND } from '../../clock/clock.js';
import { withTimeout } from '../../clock/with-timeout.js';
import { runInPoolPartition } from '../../database/pool/pool-partitioning.js';
import { query } from '../../database/query.js';
import { type InstanceRole, type InstanceSchema } from './instance.entity.js';

/** Heartbeat interval, in milliseconds. */
const HEARTBEAT_INTERVAL = 15 * SECOND;
/**
 * How long a stopping process waits for its row to be deleted, in milliseconds. Otherwise it is ignored after a minute.
 */
const LEAVE_TIMEOUT = 500;
/** An instance counts as alive if its last heartbeat is younger than this, in seconds. */
export const ALIVE_SECONDS = 60;

/** Keeps a row in the database for this process while it works, so that others can count the running processes. */
@Injectable()
export class InstanceRegistryService {
  private readonly logger = new Logger('Instances');
  private readonly id = randomUUID();
  private timer: NodeJS.Timeout | undefined;
  private sending: Promise<void> = Promise.resolve();

  constructor(
    private readonly orm: MikroORM,
    private readonly clock: Clock,
  ) {}

  /**
   * Registers this process and sends heartbeats until `unregister`.
   * @param port where a web process serves; null for a worker
   * @param isWorking no heartbeat is sent while it returns false, so that a hung process is no longer counted
   */
  async register(role: InstanceRole, port: number | null, isWorking: () => boolean = () => true): Promise<void> {
    const sendIfWorking = () => {
      if (isWorking()) this.sending = this.sendHeartbeat(role, port);
      return this.sending;
    };
    clearInterval(this.timer);
    await sendIfWorking();
    this.timer = setInterval(() => void sendIfWorking(), HEARTBEAT_INTERVAL);
    this.timer.unref();
  }

  /** Removes this process from the list. A database that doesn't respond must not delay the shutdown. */
  async unregister(): Promise<void> {
    clearInterval(this.timer);
    await this.runLoggingErrors(async () => {
      await withTimeout(LEAVE_TIMEOUT, this.sending, 'The last heartbeat took too long.');
      const deletion = this.table().deleteFrom('instances').where('id', '=', this.id).execute();
      await withTimeout(LEAVE_TIMEOUT, deletion, 'The database took too long.');
    });
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

  private sendHeartbeat(role: InstanceRole, port: number | null): Promise<void> {
    const row = { id: this.id, role, host: hostname().slice(0, 255), port, seen_at: this.clock.databaseNow() };
    return this.runLoggingErrors(async () => {
      await this.table()
        .insertInto('instances')
        .values(row)
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ seen_at: row.seen_at }))
        .execute();
      // Deletes the rows of killed processes.
      await this.table()
        .deleteFrom('instances')
        .where(sql<boolean>`seen_at < ${this.clock.databaseNow()} - interval '1 day'`)
        .execute();
    });
  }

  /** The database may be unavailable; the next heartbeat tries again. */
  private async runLoggingErrors(work: () => Promise<unknown>): Promise<void> {
    try {
      await runInPoolPartition('heartbeats', work);
    } catch (error) {
      this.logger.warn({ err: error }, "Couldn't write this process's heartbeat.");
    }
  }

  private table() {
    return query<typeof InstanceSchema>(this.orm.em.fork());
  }
}
