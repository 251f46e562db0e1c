import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../platform/clock/clock.js';
import { AppConfig } from '../../platform/config/app-config.js';
import { query } from '../../platform/database/query.js';
import { normaliseEmail } from '../../platform/http/fields.js';
import { keyedDigest } from '../../platform/security/secrets.js';
import { SuppressionSchema, type SuppressionReason } from './entities/suppression.entity.js';

/** Addresses that get no mail, as keyed digests: the list itself tells nobody's address. */
@Injectable()
export class SuppressionService {
  constructor(
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  /**
   * Notes an address, in the caller's transaction; one that is noted keeps its first reason.
   * @param ownerId whose mails it gets no more; null for everybody's
   */
  async add(em: EntityManager, ownerId: number | null, email: string, reason: SuppressionReason): Promise<void> {
    await query<typeof SuppressionSchema>(em)
      .insertInto('suppressions')
      .values({ owner_id: ownerId, digest: this.digest(email), reason, created_at: this.clock.now() })
      .onConflict((conflict) => conflict.expression(sql`coalesce(owner_id, 0), digest`).doNothing())
      .execute();
  }

  /**
   * The statement by which an address is written to again whose earlier account was deleted, for the one that notes the
   * new consent: its person has come back and agreed anew.
   */
  liftingErased(em: EntityManager, email: string) {
    return query<typeof SuppressionSchema>(em)
      .deleteFrom('suppressions')
      .where(sql<number>`coalesce(owner_id, 0)`, '=', 0)
      .where('digest', '=', this.digest(email))
      .where('reason', '=', 'erased');
  }

  /** Those of the addresses that get no mail of this owner. */
  async suppressed(em: EntityManager, ownerId: number, emails: readonly string[]): Promise<Set<string>> {
    if (emails.length === 0) return new Set();
    const byDigest = new Map(emails.map((email) => [this.digest(email), email]));
    const rows = await query<typeof SuppressionSchema>(em)
      .selectFrom('suppressions')
      .select('digest')
      .where(sql<number>`coalesce(owner_id, 0)`, 'in', [0, ownerId])
      .where('digest', 'in', [...byDigest.keys()])
      .execute();
    return new Set(rows.map(({ digest }) => byDigest.get(digest)!));
  }

  /** The digests of all addresses that get no mail of this owner, to be compared with `digest`. */
  async digests(em: EntityManager, ownerId: number): Promise<Set<string>> {
    const rows = await query<typeof SuppressionSchema>(em)
      .selectFrom('suppressions')
      .select('digest')
      .where(sql<number>`coalesce(owner_id, 0)`, 'in', [0, ownerId])
      .execute();
    return new Set(rows.map(({ digest }) => digest));
  }

  /**
   * Takes back what keeps an address from this owner's mails, if it is only that it failed too often.
   * @returns false when there is nothing that the owner may take back
   */
  async lift(em: EntityManager, ownerId: number, email: string): Promise<boolean> {
    const lifted = await query<typeof SuppressionSchema>(em)
      .deleteFrom('suppressions')
      .where('owner_id', '=', ownerId)
      .where('digest', '=', this.digest(email))
      .where('reason', '=', 'failed')
      .executeTakeFirst();
    return lifted.numDeletedRows > 0n;
  }

  /** How an address stands in the list. */
  digest(email: string): string {
    return keyedDigest(this.config.appSecret, 'suppression', normaliseEmail(email));
  }
}
