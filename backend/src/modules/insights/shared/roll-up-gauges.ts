import type { EntityManager } from '@mikro-orm/postgresql';
import { sql, type RawBuilder } from 'kysely';

/** Returns the start of an instant's quarter of an hour. */
const quarterSql = (at: Date): RawBuilder<Date> =>
  sql<Date>`date_bin('15 minutes', ${at}::timestamptz, 'epoch'::timestamptz)`;

/** Writes the gauges of zones that have changed since their last row. */
export async function writeZoneGauges(em: EntityManager, now: Date): Promise<void> {
  await sql`
    insert into zone_quarter (zone_id, at, bytes)
    select z.id, ${quarterSql(now)}, s.bytes
    from zones z
    join zone_stats s on s.zone_id = z.id
    left join lateral (
      select d.bytes from zone_quarter d where d.zone_id = z.id and d.bytes is not null order by d.at desc limit 1
    ) last on true
    where z.deleted_at is null and last.bytes is distinct from s.bytes
    order by z.id
    for key share of z skip locked
    on conflict (zone_id, at) do update set bytes = excluded.bytes`.execute(em.getKysely());
}

/**
 * Writes the gauges of owners that have changed since their last row. Owners with a usage row have had a zone at some
 * time.
 */
export async function writeOwnerGauges(em: EntityManager, now: Date): Promise<void> {
  await sql`
    with present as (
      select z.owner_id, count(*)::int as zones, sum(s.files)::int as files, sum(s.bytes)::bigint as bytes
      from zones z join zone_stats s on s.zone_id = z.id
      where z.deleted_at is null group by z.owner_id
    ), people as (
      select owner_id, count(*)::int as members from audience where zones > 0 group by owner_id
    ), owners as (
      select owner_id from present
      union select owner_id from usage where metric = 'zones' and period = ''
    ), changed as (
      select o.owner_id, coalesce(p.zones, 0) as zones, coalesce(p.files, 0) as files,
        coalesce(m.members, 0) as members, coalesce(p.bytes, 0) as bytes
      from owners o left join present p on p.owner_id = o.owner_id left join people m on m.owner_id = o.owner_id
      left join lateral (
        select d.zones, d.files, d.members, d.bytes from owner_quarter d
        where d.owner_id = o.owner_id and d.zones is not null order by d.at desc limit 1
      ) last on true
      where (coalesce(p.zones, 0), coalesce(p.files, 0), coalesce(m.members, 0), coalesce(p.bytes, 0))
        is distinct from (last.zones, last.files, last.members, last.bytes)
    ), standing as (
      select u.id from users u where u.id in (select owner_id from changed) order by u.id for key share skip locked
    )
    insert into owner_quarter (owner_id, at, zones, files, members, bytes)
    select owner_id, ${quarterSql(now)}, zones, files, members, bytes
    from changed join standing on standing.id = owner_id
    on conflict (owner_id, at) do update set zones = excluded.zones, files = excluded.files,
      members = excluded.members, bytes = excluded.bytes`.execute(em.getKysely());
}

/**
 * Returns the current gauges of an owner or one zone. An owner's members are distinct people, whatever zones they are
 * in.
 */
export function currentGaugesSql({ ownerId, zoneId }: { ownerId: number; zoneId?: number }): RawBuilder<unknown> {
  const members =
    zoneId === undefined
      ? sql`(select count(*)::int from audience where owner_id = ${ownerId} and zones > 0)`
      : sql`coalesce(sum(s.members), 0)::int`;
  return sql`
    select count(*)::int as zones, coalesce(sum(s.files), 0)::int as files, ${members} as members,
      coalesce(sum(s.bytes), 0)::bigint as bytes
    from zones z join zone_stats s on s.zone_id = z.id
    where z.deleted_at is null and z.owner_id = ${ownerId} and ${zoneId === undefined ? sql`true` : sql`z.id = ${zoneId}`}`;
}

/** Selects the current gauges of the whole installation. */
export const platformGaugesSql: RawBuilder<PlatformGauges> = sql<PlatformGauges>`
  select (select count(*)::int from users where erased_at is null) as users,
    count(*)::int as zones, (count(*) filter (where z.type = 'public'))::int as public_zones,
    coalesce(sum(s.files), 0)::int as files, coalesce(sum(s.bytes), 0)::bigint as bytes,
    (select count(*)::int from campaigns where kind = 'campaign') as campaigns
  from zones z join zone_stats s on s.zone_id = z.id
  where z.deleted_at is null`;

export interface PlatformGauges {
  readonly users: number;
  readonly zones: number;
  readonly public_zones: number;
  readonly files: number;
  readonly bytes: number;
  readonly campaigns: number;
}

/** Writes the current gauges of the whole installation. */
export async function writePlatformGauges(em: EntityManager, now: Date): Promise<void> {
  await sql`
    insert into platform_quarter (at, users, zones, files, bytes)
    select ${quarterSql(now)}, users, zones, files, bytes from (${platformGaugesSql}) present
    on conflict (at) do update set users = excluded.users, zones = excluded.zones, files = excluded.files,
      bytes = excluded.bytes`.execute(em.getKysely());
}
