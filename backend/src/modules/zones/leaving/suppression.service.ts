import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { query } from '../../../platform/database/query.js';
import { normaliseEmail } from '../../../platform/http/parsing/fields.js';
import type { DerivedKey } from '../../../platform/security/derived-keys.js';
import { SuppressionLiftSchema, SuppressionSchema, type SuppressionReason } from '../entities/suppression.entity.js';

/** How many addresses were lifted that got no mails of an owner. */
export interface LiftedSuppressions {
  readonly ownerId: number | null;
  readonly count: number;
}

/** Addresses that get no mail, as keyed digests: the list itself tells nobody's address. */
@Injectable()
export class SuppressionService {
  private readonly key: DerivedKey;

  constructor(
    private readonly clock: Clock,
    config: AppConfig,
  ) {
    this.key = config.keys.forPurpose('suppression', ['suppression']);
  }

  /**
   * Notes an address, in the caller's transaction; one that is noted, under whichever secret, keeps its first reason.
   * @param ownerId whose mails it gets no more; null for everybody's
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
   * The statement by which an address is written to again whose earlier account was deleted, for the one that notes the
   * new consent: its person has come back and agreed anew.
   */
  liftErasedQuery(em: EntityManager, email: string) {
    return query<typeof SuppressionSchema>(em)
      .deleteFrom('suppressions')
      .where(sql<number>`coalesce(owner_id, 0)`, '=', 0)
      .where('digest', 'in', this.digestsOf(email))
      .where('reason', '=', 'erased');
  }

  /** Those of the addresses that get no mail of this owner. */
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

  /** Tells of an address whether it gets no mail of this owner; null when that is true of none. */
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
   * Takes back what keeps an address from this owner's mails, if it is only that it failed too often.
   * @returns false when there is nothing that the owner may take back
   */
  async liftSuppression(em: EntityManager, ownerId: number, email: string): Promise<boolean> {
    return (await this.liftSuppressions(em, ownerId, [email])) > 0;
  }

  /**
   * The same for many, in one statement. What failed before does not count against them any more.
   * @returns how many were lifted
   */
  async liftSuppressions(em: EntityManager, ownerId: number, emails: readonly string[]): Promise<number> {
    const digests = emails.flatMap((email) => this.digestsOf(email));
    const lifted = await this.liftWhere(em, sql`owner_id = ${ownerId} and digest = any(${digests}::text[])`);
    return lifted.reduce((sum, { count }) => sum + count, 0);
  }

  /**
   * The same over all owners, for entries by their ids or for all that are there since a time.
   * @returns how many of each owner, in the order of their ids
   */
  liftFailedDeliveries(
    em: EntityManager,
    filter: { ids: readonly number[] } | { failedSince: Date },
  ): Promise<LiftedSuppressions[]> {
    if ('ids' in filter) return this.liftWhere(em, sql`id = any(${[...filter.ids]}::bigint[])`);
    return this.liftWhere(em, sql`created_at >= ${filter.failedSince}::timestamptz`);
  }

  /** Only what failed can be lifted; the entries are locked in one order, so that two who lift do not deadlock. */
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

  /** Notes that an address, by its digest, was lifted: what failed before does not count any more. */
  async recordLift(em: EntityManager, ownerId: number, digest: string): Promise<void> {
    const lifted = { lifted_at: this.clock.now() };
    await query<typeof SuppressionLiftSchema>(em)
      .insertInto('suppression_lifts')
      .values({ owner_id: ownerId, digest, ...lifted })
      .onConflict((conflict) => conflict.columns(['owner_id', 'digest']).doUpdateSet(lifted))
      .execute();
  }

  /** When each of the addresses was last lifted for an owner; those that never were are not there. */
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

  /** How an address may stand in the list: under each of the secrets, and as the version before keyed it. */
  digestsOf(email: string): string[] {
    return this.key.digests(normaliseEmail(email));
  }
}
