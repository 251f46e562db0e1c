import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { query } from '../../../platform/database/query.js';
import { normaliseEmail } from '../../../platform/http/parsing/fields.js';
import type { DerivedKey } from '../../../platform/security/derived-keys.js';
import type { SuppressionLiftSchema, SuppressionReason, SuppressionSchema } from '../entities/suppression.entity.js';

/** Number of lifted suppressions of an owner. */
export interface LiftedSuppressions {
  readonly ownerId: number | null;
  readonly count: number;
}

/** Suppressed addresses. They are stored as keyed digests, so that the list itself reveals no addresses. */
@Injectable()
export class SuppressionRepository {
  private readonly key: DerivedKey;

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    config: AppConfig,
  ) {
    this.key = config.keys.forPurpose('suppression', ['suppression']);
  }

  /**
   * Suppresses an address in the caller's transaction. An existing entry, under any of the secrets, keeps its reason;
   * only a complaint replaces `failed`.
   * @param ownerId whose emails are suppressed; null for everyone's
   */
  async addSuppression(
    em: EntityManager,
    ownerId: number | null,
    email: string,
    reason: SuppressionReason,
  ): Promise<void> {
    const all = this.digestsOf(email);
    const [newest, ...older] = all;
    await sql`
      with complained as (
        update suppressions set reason = 'complaint' where ${reason} = 'complaint' and reason = 'failed'
          and owner_id = ${ownerId}::bigint and digest = any(${all}::text[])
      )
      insert into suppressions (owner_id, digest, reason, created_at)
      select ${ownerId}::bigint, ${newest}, ${reason}, ${this.clock.now()}::timestamptz
      where not exists (
        select from suppressions where coalesce(owner_id, 0) = ${ownerId ?? 0} and digest = any(${older}::text[])
      )
      on conflict (coalesce(owner_id, 0), digest) do nothing`.execute(query<typeof SuppressionSchema>(em));
  }

  /**
   * Builds the statement that lifts the suppression left by a deleted account. It runs together with recording a new
   * consent: the person has returned and agreed again.
   */
  liftErasedQuery(em: EntityManager, email: string) {
    return query<typeof SuppressionSchema>(em)
      .deleteFrom('suppressions')
      .where(sql<number>`coalesce(owner_id, 0)`, '=', 0)
      .where('digest', 'in', this.digestsOf(email))
      .where('reason', '=', 'erased');
  }

  /** Returns those of the addresses that must not be emailed by this owner. */
  async findSuppressed(em: EntityManager, ownerId: number, emails: readonly string[]): Promise<Set<string>> {
    if (emails.length === 0) return new Set();
    const byDigest = new Map(
      emails.flatMap((email) => this.digestsOf(email).map((digest) => [digest, email] as const)),
    );
    const rows = await query<typeof SuppressionSchema>(em)
      .selectFrom('suppressions')
      .select('digest')
      .where(sql<number>`coalesce(owner_id, 0)`, 'in', [0, ownerId])
      .where('digest', 'in', [...byDigest.keys()])
      .execute();
    return new Set(rows.map(({ digest }) => byDigest.get(digest)!));
  }

  /** Returns a predicate for addresses that must not be emailed by this owner; null if there are none. */
  async createSuppressionCheck(em: EntityManager, ownerId: number): Promise<((email: string) => boolean) | null> {
    const rows = await query<typeof SuppressionSchema>(em)
      .selectFrom('suppressions')
      .select('digest')
      .where(sql<number>`coalesce(owner_id, 0)`, 'in', [0, ownerId])
      .execute();
    if (rows.length === 0) return null;
    const suppressedDigests = new Set(rows.map(({ digest }) => digest));
    return (email) => this.digestsOf(email).some((digest) => suppressedDigests.has(digest));
  }

  /**
   * Lifts this owner's suppression of an address if its reason is repeated failure.
   * @returns false if there is nothing the owner may lift
   */
  async liftSuppression(em: EntityManager, ownerId: number, email: string): Promise<boolean> {
    return (await this.liftSuppressions(em, ownerId, [email])) > 0;
  }

  /**
   * Like `liftSuppression` for many addresses, in one statement. Earlier failures no longer count.
   * @returns the number of lifted suppressions
   */
  async liftSuppressions(em: EntityManager, ownerId: number, emails: readonly string[]): Promise<number> {
    const digests = emails.flatMap((email) => this.digestsOf(email));
    const lifted = await this.liftWhere(em, sql`owner_id = ${ownerId} and digest = any(${digests}::text[])`);
    return lifted.reduce((sum, { count }) => sum + count, 0);
  }

  /**
   * Like `liftSuppressions` across all owners, for entries by id or for all created since a time.
   * @returns the number per owner, ordered by owner id
   */
  liftFailedDeliveries(
    em: EntityManager,
    filter: { ids: readonly number[] } | { failedSince: Date },
  ): Promise<LiftedSuppressions[]> {
    if ('ids' in filter) return this.liftWhere(em, sql`id = any(${[...filter.ids]}::bigint[])`);
    return this.liftWhere(em, sql`created_at >= ${filter.failedSince}::timestamptz`);
  }

  /**
   * Only entries with the reason `failed` can be lifted. Entries are locked in id order, so that concurrent calls don't
   * deadlock.
   */
  private async liftWhere(em: EntityManager, condition: RawBuilder<unknown>): Promise<LiftedSuppressions[]> {
    const { rows } = await sql<LiftedSuppressions>`
      with held as materialized (
        select id from suppressions where reason = 'failed' and ${condition} order by id for update
      ), lifted as (
        delete from suppressions s using held where s.id = held.id returning s.owner_id, s.digest
      ), noted as (
        insert into suppression_lifts (owner_id, digest, lifted_at)
        select owner_id, digest, ${this.clock.now()}::timestamptz from lifted where owner_id is not null
        order by owner_id, digest
        on conflict (owner_id, digest) do update set lifted_at = excluded.lifted_at
      )
      select owner_id as "ownerId", count(*)::int as count from lifted group by 1 order by 1`.execute(
      query<typeof SuppressionSchema>(em),
    );
    return rows.map(({ ownerId, count }) => ({ ownerId: ownerId === null ? null : Number(ownerId), count }));
  }

  /** Returns the suppressions of digests that apply to an owner's emails. */
  findEntries(ownerId: number, digests: readonly string[]) {
    return query<typeof SuppressionSchema>(this.em)
      .selectFrom('suppressions')
      .select(['digest', 'reason', 'created_at as since', sql<boolean>`owner_id is not null`.as('isOwn')])
      .where('digest', 'in', [...digests])
      .where(sql<number>`coalesce(owner_id, 0)`, 'in', [0, ownerId])
      .execute();
  }

  /** Locks an entry by its id; null if there is none. */
  async lockEntry(
    em: EntityManager,
    id: number,
  ): Promise<{ reason: SuppressionReason; digest: string; ownerId: number | null } | null> {
    const row = await query<typeof SuppressionSchema>(em)
      .selectFrom('suppressions')
      .select(['reason', 'digest', 'owner_id as ownerId'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    return row ?? null;
  }

  async deleteEntry(em: EntityManager, id: number): Promise<void> {
    await query<typeof SuppressionSchema>(em).deleteFrom('suppressions').where('id', '=', id).execute();
  }

  /** Records that a suppression was lifted, by digest: earlier failures no longer count. */
  async recordLift(em: EntityManager, ownerId: number, digest: string): Promise<void> {
    const lifted = { lifted_at: this.clock.now() };
    await query<typeof SuppressionLiftSchema>(em)
      .insertInto('suppression_lifts')
      .values({ owner_id: ownerId, digest, ...lifted })
      .onConflict((conflict) => conflict.columns(['owner_id', 'digest']).doUpdateSet(lifted))
      .execute();
  }

  /** Returns when each address was last lifted for an owner; others are left out. */
  async findLiftDates(em: EntityManager, ownerId: number, emails: readonly string[]): Promise<Map<string, Date>> {
    if (emails.length === 0) return new Map();
    const byDigest = new Map(
      emails.flatMap((email) => this.digestsOf(email).map((digest) => [digest, email] as const)),
    );
    const rows = await query<typeof SuppressionLiftSchema>(em)
      .selectFrom('suppression_lifts')
      .select(['digest', 'lifted_at as liftedAt'])
      .where('owner_id', '=', ownerId)
      .where('digest', 'in', [...byDigest.keys()])
      .orderBy('lifted_at')
      .execute();
    return new Map(rows.map(({ digest, liftedAt }) => [byDigest.get(digest)!, new Date(liftedAt)]));
  }

  /**
   * Returns the digests under which an address may be stored: one per secret, and that of the previous version's key.
   */
  digestsOf(email: string): string[] {
    return this.key.digests(normaliseEmail(email));
  }
}
