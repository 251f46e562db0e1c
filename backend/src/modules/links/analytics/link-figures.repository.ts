import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql, type RawBuilder } from 'kysely';
import type { LinkFiguresDto } from '../dto/link-analytics.dto.js';

/** Maximum number of countries returned. */
const MAX_COUNTRIES = 100;
const RECENT_JOINS = 10;
/** Number of days in `overTime`, including today. */
const DAYS = 30;

interface Row extends Omit<LinkFiguresDto, 'existingUsers'> {
  linkId: number | null;
}

/** Statistics of links, from attempts and the totals of deleted ones. */
@Injectable()
export class LinkFiguresRepository {
  constructor(private readonly em: EntityManager) {}

  /**
   * Returns the statistics of several links of a zone in a single query, by link id (null: the public link). Each part
   * reads an index on (zone, link) and adds the totals of deleted old attempts. The application runs no query per link.
   * @param timeZone IANA name of the time zone in which days are counted
   */
  async findFigures(
    zoneId: number,
    linkIds: readonly (number | null)[],
    { now, timeZone }: { now: Date; timeZone: string },
  ): Promise<Map<number | null, LinkFiguresDto>> {
    const ids = [...new Set(linkIds)];
    const temporary = ids.filter((id) => id !== null);
    const linksSql = ids.includes(null)
      ? sql`select null::bigint as id`
      : sql`select unnest(${temporary}::bigint[]) as id`;
    const usage: RawBuilder<unknown> = ids.includes(null)
      ? sql`u.zone_id = ${zoneId} and u.link_id is null`
      : sql`u.zone_id = ${zoneId} and u.link_id = l.id`;
    const { rows } = await sql<Row>`
      select l.id as "linkId", c.*, o.*, r.*, d.*
      from (${linksSql}) l
      cross join lateral (${byCountrySql(usage)}) c
      cross join lateral (${byOutcomeSql(usage)}) o
      cross join lateral (${latestJoinsSql(usage)}) r
      cross join lateral (${byDaySql(usage, now, timeZone)}) d`.execute(this.em.getKysely());
    return new Map(rows.map(({ linkId, ...row }) => [linkId === null ? null : Number(linkId), toFigures(row)]));
  }
}

function toFigures(row: Omit<Row, 'linkId'>): LinkFiguresDto {
  const [totalAttempts, successfulJoins, newUsers] = [
    Number(row.totalAttempts),
    Number(row.successfulJoins),
    Number(row.newUsers),
  ];
  const recentJoins = row.recentJoins.map((join) => ({ ...join, joinedAt: new Date(join.joinedAt) }));
  return {
    ...row,
    totalAttempts,
    successfulJoins,
    newUsers,
    existingUsers: successfulJoins - newUsers,
    recentJoins,
  };
}

const byCountrySql = (usage: RawBuilder<unknown>) => sql`
  select coalesce(sum(attempts), 0)::bigint as "totalAttempts", coalesce(sum(joins), 0)::bigint as "successfulJoins",
    coalesce(sum(newcomers), 0)::bigint as "newUsers",
    coalesce(jsonb_agg(jsonb_build_object('country', country, 'attempts', attempts, 'joins', joins)
      order by attempts desc, country) filter (where place <= ${MAX_COUNTRIES}), '[]') as countries
  from (
    select country, sum(attempts)::bigint as attempts, sum(joins)::bigint as joins, sum(newcomers)::bigint as newcomers,
      row_number() over (order by sum(attempts) desc, country) as place
    from (
      select country, count(*) as attempts, count(joined_at) as joins,
        count(joined_at) filter (where was_new_user) as newcomers
      from link_usages u where ${usage} group by country
      union all
      select country, attempts, joins, new_users from link_usage_totals u where ${usage}
    ) parts group by country
  ) counted`;

const byOutcomeSql = (usage: RawBuilder<unknown>) => sql`
  select coalesce(jsonb_agg(jsonb_build_object('outcome', outcome, 'attempts', attempts)
    order by attempts desc, outcome), '[]') as outcomes
  from (
    select outcome, sum(attempts)::bigint as attempts
    from (
      select outcome, count(*) as attempts from link_usages u where ${usage} group by outcome
      union all
      select outcome, attempts from link_usage_totals u where ${usage}
    ) parts group by outcome
  ) counted`;

const latestJoinsSql = (usage: RawBuilder<unknown>) => sql`
  select coalesce(jsonb_agg(jsonb_build_object('id', id, 'userName', name, 'userEmail', email,
    'wasNewUser', was_new_user, 'joinedAt', joined_at) order by joined_at desc, id desc), '[]') as "recentJoins"
  from (
    select u.id, u.was_new_user, u.joined_at, p.email,
      nullif(trim(concat_ws(' ', p.first_name, nullif(p.last_name, '.'))), '') as name
    from link_usages u left join users p on p.id = u.user_id
    where ${usage} and u.joined_at is not null
    order by u.joined_at desc limit ${RECENT_JOINS}
  ) latest`;

const byDaySql = (usage: RawBuilder<unknown>, now: Date, timeZone: string) => {
  const since = sql`((${now}::timestamptz at time zone ${timeZone})::date - ${DAYS - 1}::int)::timestamp
    at time zone ${timeZone}`;
  return sql`
  select coalesce(jsonb_agg(jsonb_build_object('date', to_char(day, 'YYYY-MM-DD'),
    'attempts', attempts, 'joins', joins) order by day), '[]') as "overTime"
  from (
    select (at at time zone ${timeZone})::date as day, sum(attempt) as attempts, sum(joined) as joins
    from (
      select u.attempted_at as at, 1 as attempt, 0 as joined from link_usages u
      where ${usage} and u.attempted_at >= ${since}
      union all
      select u.joined_at, 0, 1 from link_usages u
      where ${usage} and u.joined_at >= ${since}
    ) moments
    group by 1
  ) counted`;
};
