import { sql, type RawBuilder } from 'kysely';

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
