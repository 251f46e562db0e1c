import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { UsageService } from '../../plans/usage.service.js';
import { AudienceRepository } from '../members/audience.repository.js';
import { InvitationSchema } from '../entities/invitation.entity.js';
import { ZoneSchema } from '../entities/zone.entity.js';

type Tables = typeof InvitationSchema | typeof ZoneSchema;

/** Manages the audience counts of open invitations. Locks are taken in the order described in docs/rules.md. */
@Injectable()
export class InvitationQuotaService {
  constructor(
    private readonly clock: Clock,
    private readonly audience: AudienceRepository,
    private readonly usage: UsageService,
  ) {}

  /**
   * Increments the open invitations of each address in the caller's transaction. Does not change the plan usage yet.
   * @param emails without duplicates
   * @returns the addresses that are new in the audience
   */
  incrementPendingInvitations(em: EntityManager, ownerId: number, emails: readonly string[]): Promise<Set<string>> {
    return this.audience.incrementPendingInvitations(em, ownerId, emails);
  }

  /**
   * Decrements the open invitations of each address (twice for an address listed twice), in the caller's transaction.
   * @returns how many people left the audience by that; their quota is not released yet
   */
  decrementPendingInvitations(em: EntityManager, ownerId: number, emails: readonly string[]): Promise<number> {
    return this.audience.decrementPendingInvitations(em, ownerId, emails);
  }

  /** Releases plan quota. Must be called last in a transaction. */
  async releasePeopleQuota(em: EntityManager, ownerId: number, people: number): Promise<void> {
    if (people > 0) await this.usage.releaseUsage(em, ownerId, 'people', people);
  }

  /** `decrementPendingInvitations`, then releases the quota. Must be called last in a transaction. */
  async releaseInvitations(em: EntityManager, ownerId: number, emails: readonly string[]): Promise<void> {
    await this.releasePeopleQuota(em, ownerId, await this.decrementPendingInvitations(em, ownerId, emails));
  }

  /**
   * Marks the invitations of new members as used, however they joined.
   * @returns the addresses whose invitations were counted; the caller must decrement them
   */
  async acceptOpenInvitations(em: EntityManager, zoneId: number, emails: readonly string[]): Promise<string[]> {
    const { rows } = await sql<{ email: string; isCounted: boolean }>`
      with open as (
        select id, is_counted from invitations
        where zone_id = ${zoneId} and email = any(${[...emails]}::text[]) and not used order by id for update
      )
      update invitations set used = true, is_counted = false, used_at = ${this.clock.now()}
      from open where invitations.id = open.id
      returning invitations.email, open.is_counted as "isCounted"
    `.execute(query<Tables>(em));
    return rows.filter(({ isCounted }) => isCounted).map(({ email }) => email);
  }

  /** Locks a person's invitation, whatever its state, before their membership is locked. */
  async lockInvitation(em: EntityManager, zoneId: number, userId: number): Promise<void> {
    await sql`
      select i.id from invitations i join users u on u.email = i.email
      where i.zone_id = ${zoneId} and u.id = ${userId} for update of i
    `.execute(query<Tables>(em));
  }

  /**
   * Deletes any invitation of an address to a zone.
   * @returns true if it was counted
   */
  async deleteInvitation(em: EntityManager, zoneId: number, email: string): Promise<boolean> {
    const deleted = await query<Tables>(em)
      .deleteFrom('invitations')
      .where('zone_id', '=', zoneId)
      .where('email', '=', email)
      .returning('is_counted as isCounted')
      .executeTakeFirst();
    return deleted?.isCounted ?? false;
  }

  /**
   * Deletes all invitations to a zone that is being deleted.
   * @returns the addresses of those that were counted
   */
  async deleteZoneInvitations(em: EntityManager, zoneId: number): Promise<string[]> {
    const { rows } = await sql<{ email: string; isCounted: boolean }>`
      with mine as materialized (select id from invitations where zone_id = ${zoneId} order by id for update)
      delete from invitations i using mine where i.id = mine.id
      returning i.email, i.is_counted as "isCounted"
    `.execute(query<Tables>(em));
    return rows.filter(({ isCounted }) => isCounted).map(({ email }) => email);
  }

  /**
   * Deletes the invitations to a deleted account's address, each in its own transaction.
   * @param before later invitations are for the new owner of the address
   */
  async deleteInvitationsTo(em: EntityManager, email: string, before: Date, signal: AbortSignal): Promise<void> {
    const rows = await query<Tables>(em)
      .selectFrom('invitations as i')
      .innerJoin('zones as z', 'z.id', 'i.zone_id')
      .select(['i.id as id', 'z.owner_id as ownerId'])
      .where('i.email', '=', email)
      .where('i.created_at', '<=', before)
      .execute();
    for (const { id, ownerId } of rows) {
      signal.throwIfAborted();
      await inTransaction(em, async (em) => {
        const deleted = await query<Tables>(em)
          .deleteFrom('invitations')
          .where('id', '=', id)
          .returning('is_counted as isCounted')
          .executeTakeFirst();
        if (deleted?.isCounted) await this.releaseInvitations(em, ownerId, [email]);
      });
    }
  }
}
