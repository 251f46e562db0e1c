import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import { query } from '../../../platform/database/query.js';
import { UsageService } from '../../plans/usage.service.js';
import { AudienceSchema } from '../entities/audience.entity.js';
import type { MembershipZone } from '../zones.events.js';
import { adjustMemberCountSql, adjustZoneCounts } from '../zone/zone-counts.service.js';

export interface AudiencePerson {
  readonly id: number;
  /** In lower case. */
  readonly email: string;
}

/**
 * The distinct people of an owner: the one writer of their rows. They are locked in the order of their addresses, so that
 * two who count many people at once wait for each other and do not deadlock. Only `countIn` and `countOut` take of the plan
 * and give back; after the others the caller does that last in its transaction, with what they tell.
 */
@Injectable()
export class AudienceService {
  constructor(private readonly usage: UsageService) {}

  /**
   * Counts people who come into a zone by one statement, whose rows are those that many wait for: the audience, the figure
   * of the zone and, last, what the owner uses of the plan. Call it last, because the rows stay locked until the commit.
   * @param invited addresses whose open invitations, which held a place, ended by it: of these people or of others. They
   * are counted in the same pass: two passes, each in order, are not in order together.
   * @param record what else is written in the same round trip
   * @throws PLAN_LIMIT of the owner; not of those whose place as invited passes on
   */
  async addPeople(
    em: EntityManager,
    zone: MembershipZone,
    people: readonly AudiencePerson[],
    {
      invitedEmails = [],
      record = sql`select`,
    }: { invitedEmails?: readonly string[]; record?: RawBuilder<unknown> } = {},
  ): Promise<void> {
    const { ownerId } = zone;
    const returning = sql`change.fresh, change.gone`;
    const counted = await this.usage.addCountedUsage<{ gone: number; fresh: number }>(
      em,
      { ownerId, metric: 'people' },
      sql`recorded as (${record}),
        added as (${addPeopleSql(ownerId, people, invitedEmails)}),
        change as (
          select count(*) filter (where counted = 1 and not was_invited) as fresh, count(*) filter (where counted = 0) as gone
          from added
        ),
        moved as (${adjustMemberCountSql(zone.id, people.length, { from: sql`change`, returning })}),
        counted as (select greatest(fresh - gone, 0) as amount, fresh, gone from moved)`,
    );
    const [removedCount, addedCount] = [Number(counted.gone), Number(counted.fresh)];
    if (removedCount > 0) await this.deleteEmptyRows(em, ownerId, invitedEmails);
    if (removedCount > addedCount) await this.usage.releaseUsage(em, ownerId, 'people', removedCount - addedCount);
  }

  /** Counts people out of a zone, in the same order and as late in the transaction. */
  async removePeople(em: EntityManager, zone: MembershipZone, emails: readonly string[]): Promise<void> {
    const gone = await this.decrementMemberships(em, zone.ownerId, emails);
    await adjustZoneCounts(em, zone.id, { members: -emails.length });
    if (gone > 0) await this.usage.releaseUsage(em, zone.ownerId, 'people', gone);
  }

  /**
   * Counts one zone less for each of the addresses.
   * @returns how many of them are in no zone of the owner any more, which the caller gives back to the plan last
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
      returning audience.email_key as email, zones + pending as counted`.execute(query<typeof AudienceSchema>(em));
    const gone = counted.rows.filter((row) => Number(row.counted) === 0).map(({ email }) => email);
    return this.deleteEmptyRows(em, ownerId, gone);
  }

  /**
   * Counts one more open invitation for each address.
   * @param emails without doubles
   * @returns those who are new in the audience
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
    `.execute(query<typeof AudienceSchema>(em));
    return new Set(rows.filter(({ counted }) => Number(counted) === 1).map(({ email }) => email));
  }

  /**
   * Counts one open invitation less for each address (twice for one that is named twice).
   * @returns how many people left the audience by it
   */
  async decrementPendingInvitations(em: EntityManager, ownerId: number, emails: readonly string[]): Promise<number> {
    if (emails.length === 0) return 0;
    const names = [...new Set(emails)];
    await this.lockRows(em, ownerId, names);
    await sql`
      update audience set pending = pending - less.times
      from (select email, count(*)::int as times from unnest(${[...emails]}::text[]) as gone(email) group by email) less
      where owner_id = ${ownerId} and email_key = less.email
    `.execute(query<typeof AudienceSchema>(em));
    return this.deleteEmptyRows(em, ownerId, names);
  }

  /**
   * Counts a whole zone out, which is being deleted: its members, and the open invitations to it, whose rows the caller
   * has taken away. Each membership counts for the address it was counted by, which may by now belong to another account:
   * that of a closed account is free at once, and its membership stays until the account is erased.
   * @param invited addresses whose invitations held a place
   * @returns how many people left the audience by it
   */
  async removeZoneFromAudience(
    em: EntityManager,
    ownerId: number,
    zoneId: number,
    invited: readonly string[],
  ): Promise<number> {
    const db = query<typeof AudienceSchema>(em);
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
      update audience a set zones = a.zones - gone.times,
        pending = a.pending - (a.email_key = any(${[...invited]}::text[]))::int
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as gone(email text, times int)
      where a.owner_id = ${ownerId} and a.email_key = gone.email`.execute(db);
    return this.deleteEmptyRows(
      em,
      ownerId,
      rows.map(({ email }) => email),
    );
  }

  /**
   * Carries the counts of a person's old address over to the new one.
   * @param from the old address; `person` has the new one
   * @returns the owners who knew both addresses as people, and have one person less now: the caller gives them back last
   */
  async mergeOnEmailChange(em: EntityManager, person: AudiencePerson, oldEmail: string): Promise<number[]> {
    const owners = await this.lockBothEmails(em, person, oldEmail);
    const { rows } = await sql<{ ownerId: number; merged: boolean }>`
      with gone as (
        delete from audience where email_key = ${oldEmail} and owner_id = any(${owners}::bigint[])
        returning owner_id, zones, pending
      ), arrived as (
        update audience a set zones = a.zones + gone.zones, pending = a.pending + gone.pending
        from gone where a.owner_id = gone.owner_id and a.email_key = ${person.email}
        returning a.owner_id, a.zones + a.pending as counted
      )
      select owner_id as "ownerId", zones + pending > 0 and counted > zones + pending as merged
      from gone join arrived using (owner_id)`.execute(query<typeof AudienceSchema>(em));
    for (const ownerId of owners) await this.deleteEmptyRows(em, ownerId, [person.email]);
    return rows.filter(({ merged }) => merged).map(({ ownerId }) => Number(ownerId));
  }

  /**
   * Locks what all owners hold of both addresses in one pass: the old and then the new would be out of order as often as
   * not. The new one is there then wherever the old one is, and both are the person's.
   * @returns the owners who know the old address
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
      returning owner_id as "ownerId", email_key as email`.execute(query<typeof AudienceSchema>(em));
    return rows.filter(({ email }) => email === oldEmail).map(({ ownerId }) => Number(ownerId));
  }

  /** Those of the addresses that count as people of the owner already: for them no place of the plan is needed. */
  async findCountedEmails(em: EntityManager, ownerId: number, emails: readonly string[]): Promise<Set<string>> {
    if (emails.length === 0) return new Set();
    const rows = await query<typeof AudienceSchema>(em)
      .selectFrom('audience')
      .select('email_key')
      .where('owner_id', '=', ownerId)
      .where('email_key', 'in', [...emails])
      .where(sql<boolean>`zones + pending > 0`)
      .execute();
    return new Set(rows.map((row) => row.email_key));
  }

  /** Addresses whose counts differ from the rows that they count, in their order; `mend` looks again under the lock. */
  async findMismatchedCounters(em: EntityManager, ownerId: number): Promise<string[]> {
    const { rows } = await sql<{
      email: string;
    }>`${counterComparisonSql(ownerId)} select email from compared order by email`.execute(
      query<typeof AudienceSchema>(em),
    );
    return rows.map(({ email }) => email);
  }

  /**
   * Sets the counts of addresses to those of the rows. Whoever changes rows holds their address here until the commit: what
   * a statement sees that begins under these locks belongs together.
   * @param emails in any order, without doubles
   * @returns how many were wrong
   */
  async repairCounters(em: EntityManager, ownerId: number, emails: readonly string[]): Promise<number> {
    const db = query<typeof AudienceSchema>(em);
    // Also those that are missing: whoever adds one at this moment is waited for.
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
    await query<typeof AudienceSchema>(em)
      .selectFrom('audience')
      .select('email_key')
      .where('owner_id', '=', ownerId)
      .where(sql<boolean>`email_key = any(${[...emails]}::text[])`)
      .orderBy('email_key')
      .forUpdate()
      .execute();
  }

  /** Removes those of the locked rows that count nobody any more; gives how many. */
  private async deleteEmptyRows(em: EntityManager, ownerId: number, emails: readonly string[]): Promise<number> {
    if (emails.length === 0) return 0;
    const gone = await query<typeof AudienceSchema>(em)
      .deleteFrom('audience')
      .where('owner_id', '=', ownerId)
      .where(sql<boolean>`email_key = any(${[...emails]}::text[])`)
      .where(sql<boolean>`zones + pending = 0`)
      .executeTakeFirst();
    return Number(gone.numDeletedRows);
  }
}

/**
 * The statement that counts one more zone for each of the people and one invitation less for each of the invited, some of
 * whom may be the same. It gives a row an address, with how much it counts now.
 */
function addPeopleSql(
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

/** What an owner's zones count of each address, as `compared`: those that the audience holds otherwise, as it should be. */
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
