import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { sql } from 'kysely';
import { SECOND } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { UploadLockSchema } from '../entities/upload-lock.entity.js';
import { fileErrors } from '../files.errors.js';

/** How long a lock holds without being renewed: so long an upload waits after its process has died. */
const HOLD = 8 * SECOND;
/** How often a holder renews its lock, and looks whether another request waits for it. */
const RENEW_EVERY = SECOND;
/** How often a waiting request tries again. */
const RETRY_EVERY = 100;
/** How long a request waits: longer than a dead process can hold. */
const PATIENCE = 15 * SECOND;

interface Holder {
  readonly token: string;
  readonly giveWay: () => void;
}

/** One request at a time works on an upload, in whichever process: rows in the database that hold while renewed. */
@Injectable()
export class UploadLocks {
  private readonly logger = new Logger(UploadLocks.name);
  /** Holders in this process, which can be asked at once. */
  private readonly holders = new Map<string, Holder>();

  constructor(private readonly em: EntityManager) {}

  /**
   * Takes the lock of an upload, and asks whoever holds it to give way.
   * @param giveWay called when another request wants it, or when it was lost
   * @returns gives it back
   * @throws UPLOAD_LOCKED when the holder does not give way in time
   */
  async acquire(id: string, signal: AbortSignal, giveWay: () => void): Promise<() => Promise<void>> {
    const em = this.em.fork();
    const token = randomUUID();
    const deadline = performance.now() + PATIENCE;
    while (!(await this.take(em, id, token))) {
      this.holders.get(id)?.giveWay();
      if (signal.aborted || performance.now() > deadline) throw fileErrors.UPLOAD_LOCKED();
      await pause(RETRY_EVERY);
    }
    this.holders.set(id, { token, giveWay });
    const timer = setInterval(() => void this.renew(em, id, token, giveWay), RENEW_EVERY);
    timer.unref();
    return async () => {
      clearInterval(timer);
      if (this.holders.get(id)?.token === token) this.holders.delete(id);
      await this.giveBack(id, token);
    };
  }

  /** Removes locks of processes that died, long after they stopped to hold. */
  async sweep(): Promise<void> {
    await query<typeof UploadLockSchema>(this.em.fork())
      .deleteFrom('upload_locks')
      .where('held_until', '<', sql<Date>`now() - interval '1 hour'`)
      .execute();
  }

  /** Takes it when it is free, or held no longer; otherwise leaves word that it is wanted. */
  private async take(em: EntityManager, id: string, token: string): Promise<boolean> {
    const { rows } = await sql<{ token: string }>`
      insert into upload_locks as l (id, token, held_until) values (${id}, ${token}, ${until()})
      on conflict (id) do update set
        token = case when l.held_until < now() then excluded.token else l.token end,
        held_until = case when l.held_until < now() then excluded.held_until else l.held_until end,
        wanted = l.held_until >= now()
      returning token`.execute(query(em));
    return rows[0]?.token === token;
  }

  /** A database that is away for a moment ends nothing: what is stored under a lost lock is refused by its offset. */
  private async renew(em: EntityManager, id: string, token: string, giveWay: () => void): Promise<void> {
    try {
      const row = await query<typeof UploadLockSchema>(em)
        .updateTable('upload_locks')
        .set({ held_until: until() })
        .where('id', '=', id)
        .where('token', '=', token)
        .returning('wanted')
        .executeTakeFirst();
      if (row?.wanted !== false && this.holders.get(id)?.token === token) giveWay();
    } catch (error) {
      this.logger.warn({ err: error }, 'The lock of an upload could not be renewed');
    }
  }

  /** One that cannot be given back ends by itself. */
  private async giveBack(id: string, token: string): Promise<void> {
    try {
      await query<typeof UploadLockSchema>(this.em.fork())
        .deleteFrom('upload_locks')
        .where('id', '=', id)
        .where('token', '=', token)
        .execute();
    } catch (error) {
      this.logger.warn({ err: error }, 'The lock of an upload could not be given back');
    }
  }
}

const until = () => sql<Date>`now() + ${HOLD / SECOND} * interval '1 second'`;
