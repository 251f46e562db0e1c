import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { UsageService } from '../../plans/usage.service.js';
import { AudienceSchema } from '../entities/audience.entity.js';
import { InvitationSchema } from '../entities/invitation.entity.js';

type Tables = typeof AudienceSchema | typeof InvitationSchema;

/**
 * The places that open invitations hold in an owner's audience. Rows are locked in one order everywhere: the zone,
 * invitations, members, audience (by address), counts of the zone, usage; so that bulk and single changes cannot wait for each other.
 */
@Injectable()
export class InvitationPlaces {
  constructor(
    private readonly clock: Clock,
    private readonly usage: UsageService,
  ) {}

  /**
   * Counts one more open invitation for each address, in the caller's transaction; takes nothing of the plan yet.
   * @param emails without doubles
   * @returns those who are new in the audience
   */
  async hold(em: EntityManager, ownerId: number, emails: readonly string[]): Promise<Set<string>> {
    const { rows } = await sql<{ email: string; counted: number }>`
      insert into audience (owner_id, email_key, user_id, pending)
      select ${ownerId}::bigint, wanted.email, u.id, 1
      from unnest(${[...emails]}::text[]) as wanted(email) left join users u on u.email = wanted.email
      order by wanted.email
      on conflict (owner_id, email_key) do update set pending = audience.pending + 1
      returning email_key as email, zones + pending as counted
    `.execute(query<Tables>(em));
    return new Set(rows.filter(({ counted }) => Number(counted) === 1).map(({ email }) => email));
  }

  /**
   * Counts one open invitation less for each address (twice for one that is named twice), in the caller's transaction.
   * @returns how many people left the audience by it; their places are not given back yet
   */
  async letGo(em: EntityManager, ownerId: number, emails: readonly string[]): Promise<number> {
    if (emails.length === 0) return 0;
    const names = [...new Set(emails)];
    const audience = query<Tables>(em);
    await audience
      .selectFrom('audience')
      .select('email_key')
      .where('owner_id', '=', ownerId)
      .where(sql<boolean>`email_key = any(${names}::text[])`)
      .orderBy('email_key')
      .forUpdate()
      .execute();
    await sql`
      update audience set pending = pending - less.times
      from (select email, count(*)::int as times from unnest(${[...emails]}::text[]) as gone(email) group by email) less
      where owner_id = ${ownerId} and email_key = less.email
    `.execute(audience);
    const left = await audience
      .deleteFrom('audience')
      .where('owner_id', '=', ownerId)
      .where(sql<boolean>`email_key = any(${names}::text[])`)
      .where(sql<boolean>`zones + pending = 0`)
      .executeTakeFirst();
    return Number(left.numDeletedRows);
  }

  /** Gives the places of people back to the plan. Comes last in a transaction. */
  async giveBack(em: EntityManager, ownerId: number, people: number): Promise<void> {
    if (people > 0) await this.usage.give(em, ownerId, 'people', people);
  }

  /** `letGo`, and gives the places back. Comes last in a transaction. */
  async release(em: EntityManager, ownerId: number, emails: readonly string[]): Promise<void> {
    await this.giveBack(em, ownerId, await this.letGo(em, ownerId, emails));
  }

  /**
   * Ends the invitations of people who come in, by them or by another way.
   * @returns those that held a place, which the caller lets go
   */
  async settle(em: EntityManager, zoneId: number, emails: readonly string[]): Promise<string[]> {
    const { rows } = await sql<{ email: string; isCounted: boolean }>`
      with open as (
        select id, is_counted from invitations
        where zone_id = ${zoneId} and email = any(${[...emails]}::text[]) and not used order by email for update
      )
      update invitations set used = true, is_counted = false, used_at = ${this.clock.now()}
      from open where invitations.id = open.id
      returning invitations.email, open.is_counted as "isCounted"
    `.execute(query<Tables>(em));
    return rows.filter(({ isCounted }) => isCounted).map(({ email }) => email);
  }

  /** Locks the invitation of a person before their membership is taken, whatever its state. */
  async lock(em: EntityManager, zoneId: number, userId: number): Promise<void> {
    await sql`
      select i.id from invitations i join users u on u.email = i.email
      where i.zone_id = ${zoneId} and u.id = ${userId} for update of i
    `.execute(query<Tables>(em));
  }

  /** Deletes whatever invitation an address has to a zone; true when it held a place. */
  async revoke(em: EntityManager, zoneId: number, email: string): Promise<boolean> {
    const gone = await query<Tables>(em)
      .deleteFrom('invitations')
      .where('zone_id', '=', zoneId)
      .where('email', '=', email)
      .returning('is_counted as isCounted')
      .executeTakeFirst();
    return gone?.isCounted ?? false;
  }

  /** Deletes all invitations to a zone that is being deleted, and counts them out of the audience. */
  async revokeAll(em: EntityManager, zoneId: number, ownerId: number): Promise<void> {
    await sql`
      with gone as (delete from invitations where zone_id = ${zoneId} returning email, is_counted)
      update audience set pending = pending - 1 from gone
      where gone.is_counted and owner_id = ${ownerId} and email_key = gone.email
    `.execute(query<Tables>(em));
  }
}
