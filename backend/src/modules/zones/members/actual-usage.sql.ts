import { sql, type RawBuilder } from 'kysely';

// Queries for `UsageRepository.repairUsage`: what an owner's usage of a metric is by the rows it counts.

export const storedBytesSql = (ownerId: number): RawBuilder<unknown> => sql`
  select coalesce(sum(f.size), 0) + coalesce((
    select sum(v.size) from zones z join files f on f.zone_id = z.id join file_versions v on v.file_id = f.id
    where z.owner_id = ${ownerId}
  ), 0) as amount from zones z join files f on f.zone_id = z.id where z.owner_id = ${ownerId}`;

export const audienceSizeSql = (ownerId: number): RawBuilder<unknown> => sql`
  select count(*) as amount from audience where owner_id = ${ownerId}`;

export const zoneCountSql = (ownerId: number): RawBuilder<unknown> => sql`
  select count(*) as amount from zones where owner_id = ${ownerId} and deleted_at is null`;
