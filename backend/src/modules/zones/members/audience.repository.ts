import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { query } from '../../../platform/database/query.js';
import type { AudienceSchema } from '../entities/audience.entity.js';
import { adjustMemberCountSql } from '../zone/zone-stats.sql.js';

type Tables = typeof AudienceSchema;

export interface AudiencePerson {
  readonly id: number;
  /** In lower case. */
  readonly email: string;
}

/** What else happens when people join, in the same statement. */
export interface JoinContext {
  /**
   * Addresses whose counted invitations ended with the join, of these people or of others. They are processed in the
   * same pass: two ordered passes would not be ordered together.
   */
  readonly invitedEmails?: readonly string[];
  /** An additional statement for the same round trip. */
  readonly record?: RawBuilder<unknown>;
}

/**
 * The distinct people of an owner. Rows are locked in address order, so that concurrent bulk updates wait for each other
 * instead of deadlocking. The owner's plan usage counts the rows: callers change it last in their transaction, by the
 * returned values.
 */
@Injectable()
export class AudienceRepository {
  /**
   * Builds the common table expressions that count people who join a zone, for `UsageService.addCountedUsage`: the
   * audience, then the zone's counters. The last one, `counted`, returns `amount`, `added_count` and `removed_count`.
   */
  addPeopleSql(
    { id: zoneId, ownerId }: { id: number; ownerId: number },
    people: readonly AudiencePerson[],
    { invitedEmails = [], record = sql`select` }: JoinContext,
  ): RawBuilder<unknown> {
    const returning = sql`change.added_count, change.removed_count`;
    return sql`recorded as (${record}),
        added as (${upsertPeopleSql(ownerId, people, invitedEmails)}),
        change as (
          select count(*) filter (where counted = 1 and not was_invited) as added_count,
            count(*) filter (where counted = 0) as removed_count
          from added
        ),
        moved as (${adjustMemberCountSql(zoneId, people.length, { from: sql`change`, returning })}),
        counted as (select greatest(added_count - removed_count, 0) as amount, added_count, removed_count from moved)`;
  }

  /**
   * Decrements the zones of each address.
   * @returns how many of them are in no zone of the owner any more; the caller must release their quota last
   */
  async decrementMemberships(em: EntityManager, ownerId: number, emails: readonly string[]): Promise<number> {
    if (emails.length === 0) return 0;
    const counted = await sql<{ email: string; counted: number }>`
      with mine as (
        select email_key from audience
        where owner_id = ${ownerId} and email_key in (select jsonb_array_elements_text(${JSON.stringify(emails)}::jsonb))
        order by email_key for update
      )
      update audience set zones = audience.zones - 1 from mine
      where audience.owner_id = ${ownerId} and audience.email_key = mine.email_key
      returning audience.email_key as email, zones + pending as counted`.execute(query<Tables>(em));
    const emptyEmails = counted.rows.filter((row) => Number(row.counted) === 0).map(({ email }) => email);
    return this.deleteEmptyRows(em, ownerId, emptyEmails);
  }

  /**
   * Increments the open invitations of each address.
   * @param emails without duplicates
   * @returns the addresses that are new in the audience
   */
  async incrementPendingInvitations(
    em: EntityManager,
    ownerId: number,
    emails: readonly string[],
  ): Promise<Set<string>> {
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
   * Decrements the open invitations of each address (twice for an address listed twice).
   * @returns how many people left the audience by that
   */
  async decrementPendingInvitations(em: EntityManager, ownerId: number, emails: readonly string[]): Promise<number> {
    if (emails.length === 0) return 0;
    const names = [...new Set(emails)];
    await this.lockRows(em, ownerId, names);
    await sql`
      update audience set pending = pending - less.times
      from (select email, count(*)::int as times from unnest(${[...emails]}::text[]) as removed(email) group by email) less
      where owner_id = ${ownerId} and email_key = less.email
    `.execute(query<Tables>(em));
    return this.deleteEmptyRows(em, ownerId, names);
  }

  /**
   * Removes a zone that is being deleted from the counts: its members, and its open invitations, whose rows the caller
   * has deleted. Each membership is subtracted from the address under which it was counted. That address may by now
   * belong to another account: the address of a closed account becomes free immediately, but its memberships remain
   * until the account is erased.
   * @param invited addresses whose invitations were counted
   * @returns how many people left the audience by that
   */
  async removeZoneFromAudience(
    em: EntityManager,
    ownerId: number,
    zoneId: number,
    invited: readonly string[],
  ): Promise<number> {
    const db = query<Tables>(em);
    const { rows } = await sql<{ email: string; times: number }>`
      with members as materialized (
        select email, count(*)::int as times from zone_members
        where zone_id = ${zoneId} and role <> 'owner' and is_counted group by email
      )
      select a.email_key as email, coalesce(m.times, 0) as times
      from audience a left join members m on m.email = a.email_key
      where a.owner_id = ${ownerId} and (m.email is not null or a.email_key = any(${[...invited]}::text[]))
      order by a.email_key for update of a`.execute(db);
    if (rows.length === 0) return 0;
    await sql`
      update audience a set zones = a.zones - removed.times,
        pending = a.pending - (a.email_key = any(${[...invited]}::text[]))::int
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as removed(email text, times int)
      where a.owner_id = ${ownerId} and a.email_key = removed.email`.execute(db);
    return this.deleteEmptyRows(
      em,
      ownerId,
      rows.map(({ email }) => email),
    );
  }

  /**
   * Moves the counts from a person's old address to the new one.
   * @param person the person with the new address
   * @returns the owners who counted both addresses and now have one person less; the caller must release their quota
   * last
   */
  async mergeOnEmailChange(em: EntityManager, person: AudiencePerson, oldEmail: string): Promise<number[]> {
    const owners = await this.lockBothEmails(em, person, oldEmail);
    const { rows } = await sql<{ ownerId: number; merged: boolean }>`
      with deleted as (
        delete from audience where email_key = ${oldEmail} and owner_id = any(${owners}::bigint[])
        returning owner_id, zones, pending
      ), arrived as (
        update audience a set zones = a.zones + deleted.zones, pending = a.pending + deleted.pending
        from deleted where a.owner_id = deleted.owner_id and a.email_key = ${person.email}
        returning a.owner_id, a.zones + a.pending as counted
      )
      select owner_id as "ownerId", zones + pending > 0 and counted > zones + pending as merged
      from deleted join arrived using (owner_id)`.execute(query<Tables>(em));
    for (const ownerId of owners) await this.deleteEmptyRows(em, ownerId, [person.email]);
    return rows.filter(({ merged }) => merged).map(({ ownerId }) => Number(ownerId));
  }

  /**
   * Locks the rows of both addresses for all owners in a single pass, because two passes would violate the lock order.
   * Afterwards the new address exists wherever the old one does, and both belong to the person.
   * @returns the owners who have the old address
   */
  private async lockBothEmails(em: EntityManager, { id, email }: AudiencePerson, oldEmail: string): Promise<number[]> {
    const { rows } = await sql<{ ownerId: number; email: string }>`
      with owners as (
        select owner_id, bool_or(email_key = ${oldEmail}) as moves from audience where email_key in (${oldEmail}, ${email})
        group by owner_id
      ), wanted as (
        select owner_id, ${oldEmail}::text as email from owners where moves
        union all
        select owner_id, ${email}::text from owners
      )
      insert into audience (owner_id, email_key, user_id)
      select owner_id, email, ${id}::bigint from wanted order by owner_id, email
      on conflict (owner_id, email_key) do update set user_id = excluded.user_id
      returning owner_id as "ownerId", email_key as email`.execute(query<Tables>(em));
    return rows.filter(({ email }) => email === oldEmail).map(({ ownerId }) => Number(ownerId));
  }

  /** Returns those of the addresses that already count in the owner's audience and need no extra quota. */
  async findCountedEmails(em: EntityManager, ownerId: number, emails: readonly string[]): Promise<Set<string>> {
    if (emails.length === 0) return new Set();
    const rows = await query<Tables>(em)
      .selectFrom('audience')
      .select('email_key')
      .where('owner_id', '=', ownerId)
      .where('email_key', 'in', [...emails])
      .where(sql<boolean>`zones + pending > 0`)
      .execute();
    return new Set(rows.map((row) => row.email_key));
  }

  /**
   * Returns the addresses whose counters differ from the actual rows, in order; `repairCounters` checks again under the
   * lock.
   */
  async findMismatchedCounters(em: EntityManager, ownerId: number): Promise<string[]> {
    const { rows } = await sql<{
      email: string;
    }>`${counterComparisonSql(ownerId)} select email from compared order by email`.execute(query<Tables>(em));
    return rows.map(({ email }) => email);
  }

  /**
   * Sets the counters of addresses to the actual values. Code that changes memberships or invitations holds the lock of
   * the address until its commit, so a statement that starts under these locks sees a consistent state.
   * @param emails in any order, without duplicates
   * @returns how many were wrong
   */
  async repairCounters(em: EntityManager, ownerId: number, emails: readonly string[]): Promise<number> {
    const db = query<Tables>(em);
    // Missing rows are inserted too, to wait for transactions that are inserting them.
    await sql`
      insert into audience (owner_id, email_key, user_id)
      select ${ownerId}::bigint, wanted.email, u.id
      from unnest(${[...emails]}::text[]) as wanted(email) left join users u on u.email = wanted.email
      order by wanted.email
      on conflict (owner_id, email_key) do update set zones = audience.zones`.execute(db);
    const { rows } = await sql`${counterComparisonSql(ownerId)}
      update audience set zones = compared.zones, pending = compared.pending from compared
      where owner_id = ${ownerId} and email_key = compared.email and email_key = any(${[...emails]}::text[])
      returning 1`.execute(db);
    await this.deleteEmptyRows(em, ownerId, emails);
    return rows.length;
  }

  private async lockRows(em: EntityManager, ownerId: number, emails: readonly string[]): Promise<void> {
    await query<Tables>(em)
      .selectFrom('audience')
      .select('email_key')
      .where('owner_id', '=', ownerId)
      .where(sql<boolean>`email_key = any(${[...emails]}::text[])`)
      .orderBy('email_key')
      .forUpdate()
      .execute();
  }

  /**
   * Deletes those of the locked rows that no longer count anyone.
   * @returns their number
   */
  async deleteEmptyRows(em: EntityManager, ownerId: number, emails: readonly string[]): Promise<number> {
    if (emails.length === 0) return 0;
    const deleted = await query<Tables>(em)
      .deleteFrom('audience')
      .where('owner_id', '=', ownerId)
      .where(sql<boolean>`email_key = any(${[...emails]}::text[])`)
      .where(sql<boolean>`zones + pending = 0`)
      .executeTakeFirst();
    return Number(deleted.numDeletedRows);
  }
}

/**
 * Builds the statement that increments the zones of joining people and decrements the invitations of invited addresses,
 * some of which may be the same. Returns each address's new count.
 */
function upsertPeopleSql(
  ownerId: number,
  people: readonly AudiencePerson[],
  invited: readonly string[],
): RawBuilder<unknown> {
  const joiningEmails = new Set(people.map(({ email }) => email));
  const rows = [
    ...people.map(({ id, email }) => ({ id, email, zones: 1 })),
    ...invited.filter((email) => !joiningEmails.has(email)).map((email) => ({ id: null, email, zones: 0 })),
  ];
  const wasInvited = sql`(audience.email_key = any(${[...invited]}::text[]))`;
  return sql`
    insert into audience (owner_id, email_key, user_id, zones)
    select ${ownerId}::bigint, p.email, p.id, p.zones
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as p(id bigint, email text, zones int) order by p.email
    on conflict (owner_id, email_key) do update set zones = audience.zones + excluded.zones,
      pending = audience.pending - ${wasInvited}::int, user_id = coalesce(excluded.user_id, audience.user_id)
    returning zones + pending as counted, ${wasInvited} as was_invited`;
}

/** CTE `compared`: the expected counts of addresses whose audience row differs from them. */
const counterComparisonSql = (ownerId: number): RawBuilder<unknown> => sql`
  with own as (select id from zones where owner_id = ${ownerId} and deleted_at is null),
    held as (select email_key, zones, pending from audience where owner_id = ${ownerId}),
    counted as (
      select m.email, 1 as zones, 0 as pending from own
      join zone_members m on m.zone_id = own.id and m.role <> 'owner' and m.is_counted
      union all
      select i.email, 0, 1 from own join invitations i on i.zone_id = own.id and i.is_counted
    ),
    expected as (select email, sum(zones)::int as zones, sum(pending)::int as pending from counted group by email),
    compared as (
      select coalesce(email_key, email) as email, coalesce(e.zones, 0) as zones, coalesce(e.pending, 0) as pending
      from held full join expected e on email = email_key
      where (held.zones, held.pending) is distinct from (e.zones, e.pending)
    )`;
