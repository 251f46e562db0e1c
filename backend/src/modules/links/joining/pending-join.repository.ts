import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { addMilliseconds, Clock, DAY } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import type { ZoneSchema } from '../../zones/entities/zone.entity.js';
import { PendingJoin, type PendingJoinSchema } from '../entities/pending-join.entity.js';
import { toConsent, type JoinInput, type JoinTarget } from '../link.policy.js';

type Tables = typeof PendingJoinSchema | typeof ZoneSchema;

/** Lifetime of the verification link, from when it is sent. */
const JOIN_LIFETIME = DAY;
/** How long a request waits for email quota; after that the person must ask again. */
const MAX_HOLD = 3 * DAY;
/** Limits held requests, so that a flood of fake requests can't use up the quota of the following days. */
const MAX_HELD_PER_ZONE = 1000;

export interface HeldJoin {
  readonly id: number;
  readonly email: string;
  readonly zoneId: number;
  readonly ownerId: number;
}

/** Join requests that await email verification. The email of some of them is held until there is quota for it. */
@Injectable()
export class PendingJoinRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** @returns the new request's id */
  async insertPendingJoin(
    em: EntityManager,
    target: JoinTarget,
    input: JoinInput,
    { usageId, handleDigest }: { usageId: number | null; handleDigest: string },
  ): Promise<number> {
    const { id } = await query<Tables>(em)
      .insertInto('pending_joins')
      .values({
        zone_id: target.zone.id,
        link_id: target.linkId,
        public_link: target.publicLink,
        usage_id: usageId,
        handle_digest: handleDigest,
        email: input.email,
        consent_text: toConsent(target, input)?.text ?? null,
        ip_address: input.ipAddress,
        language: input.language,
        created_at: target.askedAt,
        expires_at: addMilliseconds(target.askedAt, JOIN_LIFETIME),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    return id;
  }

  findPendingJoin(id: number): Promise<PendingJoin | null> {
    return this.em.findOne(PendingJoin, { id });
  }

  /** @param digest of the `join` parameter of the emailed link */
  findPendingJoinByDigest(digest: string): Promise<PendingJoin | null> {
    return this.em.findOne(PendingJoin, { digest });
  }

  /** @param handleDigest digest of the token of the window that made the request */
  findPendingJoinByHandle(handleDigest: string): Promise<PendingJoin | null> {
    return this.em.findOne(PendingJoin, { handleDigest });
  }

  /** Stores the digest of the `join` parameter of the emailed link. */
  async updateDigest(em: EntityManager, pending: PendingJoin, digest: string): Promise<void> {
    pending.digest = digest;
    await em.flush();
  }

  async setCompleted(em: EntityManager, pending: PendingJoin): Promise<void> {
    pending.completedAt = this.clock.now();
    await em.flush();
  }

  async deletePendingJoinsOf(em: EntityManager, email: string): Promise<void> {
    await query<Tables>(em).deleteFrom('pending_joins').where('email', '=', email).execute();
  }

  /** Deletes requests that expired until an instant. */
  async deleteExpired(until: Date): Promise<void> {
    await query<Tables>(this.em).deleteFrom('pending_joins').where('expires_at', '<=', until).execute();
  }

  /** Holds an email for another day; beyond the zone's limit of held emails it is dropped. */
  async holdEmail(em: EntityManager, id: number, zoneId: number): Promise<void> {
    await query<Tables>(em)
      .updateTable('pending_joins')
      .set({ is_mail_held: true, expires_at: addMilliseconds(this.clock.now(), MAX_HOLD) })
      .where('id', '=', id)
      .where(
        sql<boolean>`(select count(*) from pending_joins where is_mail_held and zone_id = ${zoneId}) < ${MAX_HELD_PER_ZONE}`,
      )
      .execute();
  }

  /** Releases a held email. @returns false if it isn't held any more */
  async releaseEmail(em: EntityManager, id: number): Promise<boolean> {
    const released = await query<Tables>(em)
      .updateTable('pending_joins')
      .set({ is_mail_held: false, expires_at: addMilliseconds(this.clock.now(), JOIN_LIFETIME) })
      .where('id', '=', id)
      .where('is_mail_held', '=', true)
      .executeTakeFirst();
    return released.numUpdatedRows > 0n;
  }

  /** Holds a released email again, until the end of its first hold. */
  async holdEmailAgain(em: EntityManager, id: number): Promise<void> {
    await query<Tables>(em)
      .updateTable('pending_joins')
      .set({ is_mail_held: true, expires_at: sql<Date>`created_at + ${MAX_HOLD / 1000} * interval '1 second'` })
      .where('id', '=', id)
      .execute();
  }

  /**
   * Returns up to `limit` requests with a held email, by ascending id.
   * @param after id of the last request of the previous batch
   */
  async findHeld(after: number, limit: number): Promise<HeldJoin[]> {
    const rows = await query<Tables>(this.em)
      .selectFrom('pending_joins as p')
      .innerJoin('zones as z', 'z.id', 'p.zone_id')
      .select(['p.id as id', 'p.email as email', 'z.id as zoneId', 'z.owner_id as ownerId'])
      .where('p.is_mail_held', '=', true)
      .where('p.expires_at', '>', this.clock.now())
      .where('z.deleted_at', 'is', null)
      .where('p.id', '>', after)
      .orderBy('p.id')
      .limit(limit)
      .execute();
    return rows.map((row) => ({
      ...row,
      id: Number(row.id),
      zoneId: Number(row.zoneId),
      ownerId: Number(row.ownerId),
    }));
  }
}
