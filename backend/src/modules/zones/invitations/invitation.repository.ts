import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import type { InvitationSchema } from '../entities/invitation.entity.js';
import type { ZoneMemberSchema } from '../entities/zone-member.entity.js';
import type { ZoneSchema } from '../entities/zone.entity.js';

type Tables = typeof InvitationSchema | typeof ZoneMemberSchema | typeof ZoneSchema;

/** An address to invite, in lower case, with the names that the inviter entered. */
export interface InvitedAddress {
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
}

interface NewInvitations {
  readonly zoneId: number;
  readonly inviterId: number;
  readonly expiresAt: Date;
}

/** An invitation to an address that is about to change, or to the new one. */
export interface AddressedInvitation {
  readonly id: number;
  readonly zoneId: number;
  readonly ownerId: number;
  readonly email: string;
  readonly used: boolean;
  readonly isCounted: boolean;
  readonly isOpen: boolean;
  /** True if the person is already a member of the zone. */
  readonly isMember: boolean;
}

export interface UndeliverableInvitation {
  readonly email: string;
  readonly ownerId: number;
  readonly inviterId: number;
  readonly wasCounted: boolean;
}

/**
 * Invitations to zones. Rows are locked in id order. `is_counted` says that an invitation is open and counts in the
 * owner's audience: who ends one that was counted, decrements the audience (`InvitationQuotaService`).
 */
@Injectable()
export class InvitationRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * Inserts invitations in address order, except to addresses that have one.
   * @returns the ids of the new ones by address
   */
  async insertInvitations(
    em: EntityManager,
    { zoneId, inviterId, expiresAt }: NewInvitations,
    people: readonly InvitedAddress[],
  ): Promise<Map<string, number>> {
    const { rows } = await sql<{ id: string; email: string }>`
      insert into invitations (zone_id, email, first_name, last_name, invited_by_id, expires_at, created_at)
      select ${zoneId}::bigint, p.email, p.first_name, p.last_name, ${inviterId}::bigint,
        ${expiresAt}::timestamptz, ${this.clock.now()}::timestamptz
      from ${toSqlRows(people)} order by p.email
      on conflict (zone_id, email) do nothing
      returning id, email`.execute(query<Tables>(em));
    return new Map(rows.map(({ id, email }) => [email, Number(id)]));
  }

  /**
   * Locks the existing rows and resets those that are not counted.
   * @returns all existing addresses, with the id if the row was reset, otherwise null
   */
  async overwriteInactiveInvitations(
    em: EntityManager,
    { zoneId, inviterId, expiresAt }: NewInvitations,
    people: readonly InvitedAddress[],
  ): Promise<Map<string, number | null>> {
    if (people.length === 0) return new Map();
    const { rows } = await sql<{ id: string; email: string; isCounted: boolean }>`
      with present as materialized (
        select id, email, is_counted from invitations
        where zone_id = ${zoneId} and email = any(${people.map(({ email }) => email)}::text[]) order by id for update
      ), written as (
        update invitations i set
          first_name = p.first_name, last_name = p.last_name, invited_by_id = ${inviterId}::bigint,
          digest = null, password_digest = null, used = false, is_counted = true,
          expires_at = ${expiresAt}::timestamptz, created_at = ${this.clock.now()}::timestamptz,
          sent_at = null, kept_at = null, undeliverable_at = null, used_at = null, is_notice_due = false
        from present join ${toSqlRows(people)} on p.email = present.email
        where i.id = present.id and not present.is_counted
      )
      select id, email, is_counted as "isCounted" from present`.execute(query<Tables>(em));
    return new Map(rows.map(({ id, email, isCounted }) => [email, isCounted ? null : Number(id)]));
  }

  /** Locks an unused invitation; null if it was used or revoked. */
  async lockUnusedInvitation(
    em: EntityManager,
    zoneId: number,
    id: number,
  ): Promise<{ email: string; isCounted: boolean } | null> {
    const row = await query<Tables>(em)
      .selectFrom('invitations')
      .select(['email', 'is_counted as isCounted'])
      .where('id', '=', id)
      .where('zone_id', '=', zoneId)
      .where('used', '=', false)
      .forUpdate()
      .executeTakeFirst();
    return row ?? null;
  }

  /**
   * Locks an invitation that is to be accepted.
   * @param digest digest of the token in the emailed link; null if the session proves the address
   */
  async lockForAcceptance(
    em: EntityManager,
    id: number,
    digest: string | null,
  ): Promise<{ used: boolean; expiresAt: Date; invitedById: number | null } | null> {
    const row = await query<Tables>(em)
      .selectFrom('invitations')
      .select(['used', 'expires_at as expiresAt', 'invited_by_id as invitedById'])
      .where('id', '=', id)
      .$if(digest !== null, (rows) => rows.where('digest', '=', digest))
      .forUpdate()
      .executeTakeFirst();
    return row ?? null;
  }

  /** Makes a locked invitation open again; its previous link and temporary password become invalid. */
  async renewInvitation(em: EntityManager, id: number, expiresAt: Date): Promise<void> {
    await query<Tables>(em)
      .updateTable('invitations')
      .set({ digest: null, password_digest: null, is_counted: true, sent_at: null, kept_at: null })
      .set({ undeliverable_at: null, is_notice_due: false })
      .set({ expires_at: expiresAt })
      .where('id', '=', id)
      .execute();
  }

  async markNoticeDue(em: EntityManager, id: number): Promise<void> {
    await query<Tables>(em).updateTable('invitations').set({ is_notice_due: true }).where('id', '=', id).execute();
  }

  /**
   * Marks the invitations of new members as used, however they joined.
   * @returns the addresses whose invitations were counted
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

  /** Returns the invitations to an address that were created until `before`, with the owners of their zones. */
  findInvitationsTo(em: EntityManager, email: string, before: Date): Promise<{ id: number; ownerId: number }[]> {
    return query<Tables>(em)
      .selectFrom('invitations as i')
      .innerJoin('zones as z', 'z.id', 'i.zone_id')
      .select(['i.id as id', 'z.owner_id as ownerId'])
      .where('i.email', '=', email)
      .where('i.created_at', '<=', before)
      .execute();
  }

  /** @returns whether it was counted */
  async deleteInvitationById(em: EntityManager, id: number): Promise<boolean> {
    const deleted = await query<Tables>(em)
      .deleteFrom('invitations')
      .where('id', '=', id)
      .returning('is_counted as isCounted')
      .executeTakeFirst();
    return deleted?.isCounted ?? false;
  }

  async deleteInvitations(em: EntityManager, ids: readonly number[]): Promise<void> {
    if (ids.length === 0) return;
    await query<Tables>(em).deleteFrom('invitations').where('id', 'in', ids).execute();
  }

  /** Deletes invitations that are no longer open, expired until `before`, and need no notification. */
  async deleteOldInvitations(before: Date): Promise<void> {
    await query<Tables>(this.em)
      .deleteFrom('invitations')
      .where('is_counted', '=', false)
      .where('is_notice_due', '=', false)
      .where('expires_at', '<=', before)
      .execute();
  }

  /**
   * Returns the owners of expired invitations that are still counted, by id.
   * @param zoneId only this zone; null for all
   */
  async findOwnersWithExpired(zoneId: number | null): Promise<number[]> {
    const { rows } = await sql<{ ownerId: string }>`
      select distinct z.owner_id as "ownerId" from invitations i join zones z on z.id = i.zone_id
      where i.is_counted and i.expires_at <= ${this.clock.now()}
        and (${zoneId}::bigint is null or i.zone_id = ${zoneId}::bigint)
      order by 1`.execute(query<Tables>(this.em));
    return rows.map(({ ownerId }) => Number(ownerId));
  }

  /**
   * Ends up to `limit` expired invitations of an owner. Skips rows that others have locked.
   * @returns their addresses
   */
  async expireInvitations(em: EntityManager, ownerId: number, zoneId: number | null, limit: number): Promise<string[]> {
    const { rows } = await sql<{ email: string }>`
      with due as (
        select i.id, i.email from invitations i join zones z on z.id = i.zone_id
        where i.is_counted and i.expires_at <= ${this.clock.now()} and z.owner_id = ${ownerId}
          and (${zoneId}::bigint is null or i.zone_id = ${zoneId}::bigint)
        order by i.id limit ${limit} for update of i skip locked
      )
      update invitations set is_counted = false from due where invitations.id = due.id
      returning due.email
    `.execute(query<Tables>(em));
    return rows.map(({ email }) => email);
  }

  /**
   * Ends an invitation whose email was permanently rejected.
   * @param digest digest of the token in the rejected email
   * @returns null if it was used, revoked or sent again in the meantime
   */
  async markUndeliverable(em: EntityManager, id: number, digest: string): Promise<UndeliverableInvitation | null> {
    const { rows } = await sql<UndeliverableInvitation>`
      with open as (
        select i.id, i.is_counted, z.owner_id, coalesce(i.invited_by_id, z.owner_id) as inviter_id
        from invitations i join zones z on z.id = i.zone_id
        where i.id = ${id} and i.digest = ${digest} and not i.used for update of i
      )
      update invitations set digest = null, password_digest = null, is_counted = false, is_notice_due = true,
        undeliverable_at = ${this.clock.now()}
      from open where invitations.id = open.id
      returning invitations.email, open.owner_id as "ownerId", open.inviter_id as "inviterId",
        open.is_counted as "wasCounted"`.execute(query<Tables>(em));
    const [row] = rows;
    return row ? { ...row, ownerId: Number(row.ownerId), inviterId: Number(row.inviterId) } : null;
  }

  /**
   * Stores the digests of the secrets in an email that is about to be sent.
   * @param passwordDigest null if the email contains no temporary password
   * @returns false if the invitation was used or revoked in the meantime
   */
  async saveSecrets(id: number, digest: string, passwordDigest: string | null): Promise<boolean> {
    const updated = await query<Tables>(this.em)
      .updateTable('invitations')
      .set({ digest, password_digest: passwordDigest })
      .where('id', '=', id)
      .where('used', '=', false)
      .executeTakeFirst();
    return updated.numUpdatedRows > 0n;
  }

  /**
   * Records whether the email was sent or only stored. If the invitation is being sent again, the later email records
   * it.
   */
  async recordOutcome(id: number, digest: string, outcome: 'sent' | 'on-hold'): Promise<void> {
    const now = this.clock.now();
    await query<Tables>(this.em)
      .updateTable('invitations')
      .set(outcome === 'sent' ? { sent_at: now, kept_at: null } : { kept_at: now })
      .where('id', '=', id)
      .where('digest', '=', digest)
      .execute();
  }

  /** Returns the digests of the temporary passwords in the invitations to an address, including expired ones. */
  async findTemporaryPasswords(email: string): Promise<{ digest: string; expiresAt: Date }[]> {
    const rows = await query<Tables>(this.em)
      .selectFrom('invitations')
      .select(['password_digest as digest', 'expires_at as expiresAt'])
      .where('email', '=', email)
      .where('password_digest', 'is not', null)
      .execute();
    return rows.map(({ digest, expiresAt }) => ({ digest: digest!, expiresAt }));
  }

  async deleteTemporaryPasswords(em: EntityManager, email: string): Promise<void> {
    await query<Tables>(em)
      .updateTable('invitations')
      .set({ password_digest: null })
      .where('email', '=', email)
      .where('password_digest', 'is not', null)
      .execute();
  }

  /** Locks the invitations to both addresses of a person. */
  async lockInvitationsTo(
    em: EntityManager,
    user: { id: number; email: string },
    oldEmail: string,
  ): Promise<AddressedInvitation[]> {
    const now = this.clock.now();
    const { rows } = await sql<AddressedInvitation>`
      select i.id, i.zone_id as "zoneId", z.owner_id as "ownerId", i.email, i.used, i.is_counted as "isCounted",
        not i.used and i.expires_at > ${now} as "isOpen",
        exists (select from zone_members m where m.zone_id = i.zone_id and m.user_id = ${user.id}
          and (m.expires_at is null or m.expires_at > ${now})) as "isMember"
      from invitations i join zones z on z.id = i.zone_id
      where i.email in (${oldEmail}, ${user.email}) order by i.id for update of i`.execute(query<Tables>(em));
    return rows.map((row) => ({
      ...row,
      id: Number(row.id),
      zoneId: Number(row.zoneId),
      ownerId: Number(row.ownerId),
    }));
  }

  /** Changes the address of locked invitations; their links and temporary passwords become invalid. */
  async moveInvitations(em: EntityManager, ids: readonly number[], email: string): Promise<void> {
    await query<Tables>(em)
      .updateTable('invitations')
      .set({ email, digest: null, password_digest: null })
      .where('id', 'in', ids)
      .execute();
  }
}

/** Returns the people as a table expression named `p`. */
function toSqlRows(people: readonly InvitedAddress[]): RawBuilder<unknown> {
  const column = (name: 'email' | 'firstName' | 'lastName') => people.map((person) => person[name]);
  return sql`unnest(${column('email')}::text[], ${column('firstName')}::text[], ${column('lastName')}::text[])
    as p(email, first_name, last_name)`;
}
