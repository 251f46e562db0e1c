import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../clock/clock.js';
import { query } from '../database/query.js';
import { AuditEntrySchema } from './audit-entry.entity.js';
import type { AuditType } from './audit-types.js';

/** Rows per INSERT statement. */
const BATCH_SIZE = 1000;

export interface AuditRecord {
  readonly type: AuditType;
  /** The user who did it; omitted for the system. */
  readonly actorId?: number | null;
  /** The user it was done to. */
  readonly subjectId?: number | null;
  /** Ids and plain values only; never a secret or an email address. */
  readonly params?: Record<string, unknown>;
  readonly ipAddress?: string | null;
}

/** Append-only log of security, permission, plan and deletion events. */
@Injectable()
export class AuditRepository {
  constructor(private readonly clock: Clock) {}

  /** Inserts an entry in the transaction of `em`, so it is stored only if the change it describes is committed. */
  record(em: EntityManager, entry: AuditRecord): Promise<void> {
    return this.recordMany(em, [entry]);
  }

  /** Inserts several entries, with one statement per `BATCH_SIZE` of them. */
  async recordMany(em: EntityManager, entries: readonly AuditRecord[]): Promise<void> {
    if (entries.length === 0) return;
    const rows = entries.map((fact) => ({
      type: fact.type,
      actor_id: fact.actorId ?? null,
      subject_id: fact.subjectId ?? null,
      params: sql<Record<string, unknown>>`${JSON.stringify(fact.params ?? {})}::jsonb`,
      ip_address: fact.ipAddress ?? null,
      created_at: this.clock.now(),
    }));
    // PostgreSQL accepts at most 65,535 parameters per statement.
    for (let at = 0; at < rows.length; at += BATCH_SIZE) {
      const batch = rows.slice(at, at + BATCH_SIZE);
      await query<typeof AuditEntrySchema>(em).insertInto('audit_log').values(batch).execute();
    }
  }

  /**
   * Removes a user's identity from the log in the transaction of `em`. The entries stay; the IP address is deleted
   * where the user was the actor.
   */
  async anonymiseUser(em: EntityManager, userId: number): Promise<void> {
    const log = query<typeof AuditEntrySchema>(em);
    await log
      .updateTable('audit_log')
      .set({ actor_id: null, ip_address: null })
      .where('actor_id', '=', userId)
      .execute();
    await log.updateTable('audit_log').set({ subject_id: null }).where('subject_id', '=', userId).execute();
  }
}
