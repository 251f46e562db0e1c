import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../clock/clock.js';
import { query } from '../database/query.js';
import { AuditEntrySchema } from './audit-entry.entity.js';
import type { AuditType } from './audit-types.js';

/** Facts that are written by one statement. */
const BATCH_SIZE = 1000;

export interface AuditRecord {
  /** What happened. */
  readonly type: AuditType;
  /** Who did it; left out for the service itself. */
  readonly actorId?: number | null;
  /** The person to whom it was done. */
  readonly subjectId?: number | null;
  /** Particulars: ids and plain values; never a secret, and no address of a person. */
  readonly params?: Record<string, unknown>;
  readonly ipAddress?: string | null;
}

/** The append-only record of what touches security, rights, plans and deletion. */
@Injectable()
export class AuditService {
  constructor(private readonly clock: Clock) {}

  /** Writes a fact in the transaction of `em`: recorded if, and only if, what it tells of is committed. */
  record(em: EntityManager, entry: AuditRecord): Promise<void> {
    return this.recordMany(em, [entry]);
  }

  /** The same for several facts, by one statement for a thousand of them. */
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
    // PostgreSQL takes 65,535 values in one statement.
    for (let at = 0; at < rows.length; at += BATCH_SIZE) {
      const batch = rows.slice(at, at + BATCH_SIZE);
      await query<typeof AuditEntrySchema>(em).insertInto('audit_log').values(batch).execute();
    }
  }

  /**
   * Takes a person out of the record, in the transaction of `em`: what happened stays, but not who it was. The address
   * from which something was done goes with the one who did it.
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
