import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { UsageService } from '../../plans/usage.service.js';
import { AudienceService } from '../members/audience.service.js';
import { InvitationSchema } from '../entities/invitation.entity.js';
import { ZoneSchema } from '../entities/zone.entity.js';

type Tables = typeof InvitationSchema | typeof ZoneSchema;

/** The places that open invitations hold in an owner's audience. Locks are taken in the order of docs/rules.md. */
@Injectable()
export class InvitationQuotaService {
  constructor(
    private readonly clock: Clock,
    private readonly audience: AudienceService,
    private readonly usage: UsageService,
  ) {}

  /**
   * Counts one more open invitation for each address, in the caller's transaction; takes nothing of the plan yet.
   * @param emails without doubles
   * @returns those who are new in the audience
   */
  incrementPendingInvitations(em: EntityManager, ownerId: number, emails: readonly string[]): Promise<Set<string>> {
    return this.audience.incrementPendingInvitations(em, ownerId, emails);
  }

  /**
   * Counts one open invitation less for each address (twice for one that is named twice), in the caller's transaction.
   * @returns how many people left the audience by it; their places are not given back yet
   */
  decrementPendingInvitations(em: EntityManager, ownerId: number, emails: readonly string[]): Promise<number> {
    return this.audience.decrementPendingInvitations(em, ownerId, emails);
  }

  /** Gives the places of people back to the plan. Comes last in a transaction. */
  async releasePeopleQuota(em: EntityManager, ownerId: number, people: number): Promise<void> {
    if (people > 0) await this.usage.releaseUsage(em, ownerId, 'people', people);
  }

  /** `letGo`, and gives the places back. Comes last in a transaction. */
  async releaseInvitations(em: EntityManager, ownerId: number, emails: readonly string[]): Promise<void> {
    await this.releasePeopleQuota(em, ownerId, await this.decrementPendingInvitations(em, ownerId, emails));
  }

  /**
   * Ends the invitations of people who come in, by them or by another way.
   * @returns those that held a place, which the caller lets go
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

  /** Locks the invitation of a person before their membership is taken, whatever its state. */
  async lockInvitation(em: EntityManager, zoneId: number, userId: number): Promise<void> {
    await sql`
      select i.id from invitations i join users u on u.email = i.email
      where i.zone_id = ${zoneId} and u.id = ${userId} for update of i
    `.execute(query<Tables>(em));
  }

  /** Deletes whatever invitation an address has to a zone; true when it held a place. */
  async deleteInvitation(em: EntityManager, zoneId: number, email: string): Promise<boolean> {
    const deleted = await query<Tables>(em)
      .deleteFrom('invitations')
      .where('zone_id', '=', zoneId)
      .where('email', '=', email)
      .returning('is_counted as isCounted')
      .executeTakeFirst();
    return deleted?.isCounted ?? false;
  }

  /** Deletes all invitations to a zone that is being deleted; gives the addresses of those that held a place. */
  async deleteZoneInvitations(em: EntityManager, zoneId: number): Promise<string[]> {
    const { rows } = await sql<{ email: string; isCounted: boolean }>`
      with mine as materialized (select id from invitations where zone_id = ${zoneId} order by id for update)
      delete from invitations i using mine where i.id = mine.id
      returning i.email, i.is_counted as "isCounted"
    `.execute(query<Tables>(em));
    return rows.filter(({ isCounted }) => isCounted).map(({ email }) => email);
  }

  /**
   * Deletes the invitations to somebody whose account is gone, each in a transaction of its own.
   * @param before later ones are for whoever has the address by then
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
