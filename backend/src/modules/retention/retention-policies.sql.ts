import type { EntityManager } from '@mikro-orm/postgresql';
import { sql, type RawBuilder } from 'kysely';
import { freezeList } from '../../platform/constants/freeze-list.js';
import type { AppConfig } from '../../platform/config/app-config.js';
import { DAY } from '../../platform/clock/clock.js';
import { dropMonthPartitions } from '../../platform/database/month-partitions.sql.js';

/** A retention policy: its retention period, and how to remove a batch of older data. */
export interface RetentionPolicy {
  readonly name: string;
  readonly period: keyof RetentionPeriods;
  /**
   * Removes up to about `limit` entries older than `before`, in the caller's transaction.
   * @returns how many; 0 if nothing is left
   */
  removeBatch(em: EntityManager, before: Date, limit: number): Promise<number>;
}

async function countAffected(em: EntityManager, statement: RawBuilder<unknown>): Promise<number> {
  return Number((await statement.execute(em.getKysely())).numAffectedRows ?? 0);
}

/** IP addresses, and the user agents stored with them. The rows stay. */
const addresses: readonly RetentionPolicy[] = [
  {
    name: 'campaign-addresses',
    period: 'ips',
    removeBatch: (em, before, limit) =>
      countAffected(
        em,
        sql`update campaign_events set ip_address = null, user_agent = null where id in (
          select id from campaign_events
          where created_at < ${before} and (ip_address is not null or user_agent is not null)
          order by created_at limit ${limit} for update skip locked)`,
      ),
  },
  {
    name: 'audit-addresses',
    period: 'ips',
    removeBatch: (em, before, limit) =>
      countAffected(
        em,
        sql`update audit_log set ip_address = null where id in (
          select id from audit_log where created_at < ${before} and ip_address is not null
          order by created_at limit ${limit} for update skip locked)`,
      ),
  },
];

/** Webhooks that wait to be processed need their body, however old they are. */
const webhookBodies: RetentionPolicy = {
  name: 'webhook-bodies',
  period: 'webhookBodies',
  removeBatch: (em, before, limit) =>
    countAffected(
      em,
      sql`update integration_webhooks set webhook_data = null where id in (
        select id from integration_webhooks
        where created_at < ${before} and webhook_data is not null and status <> 'pending'
        order by created_at limit ${limit} for update skip locked)`,
    ),
};

/** Join attempts are added to the totals of their link in the same statement. */
const linkUsages: RetentionPolicy = {
  name: 'link-usages',
  period: 'linkUsages',
  async removeBatch(em, before, limit) {
    const { rows } = await sql<{ count: string }>`
      with deleted as (
        delete from link_usages where id in (
          select id from link_usages where attempted_at < ${before}
          order by attempted_at, id limit ${limit} for update skip locked)
        returning zone_id, link_id, country, outcome, joined_at, was_new_user
      ), counted as (
        insert into link_usage_totals as t (zone_id, link_id, country, outcome, attempts, joins, new_users)
        select zone_id, link_id, country, outcome, count(*), count(joined_at),
          count(joined_at) filter (where was_new_user)
        from deleted group by 1, 2, 3, 4 order by 1, 2, 3, 4
        on conflict (zone_id, link_id, country, outcome) do update set attempts = t.attempts + excluded.attempts,
          joins = t.joins + excluded.joins, new_users = t.new_users + excluded.new_users
      )
      select count(*) from deleted`.execute(em.getKysely());
    return Number(rows[0]!.count);
  },
};

/**
 * Guests of links to files and folders who haven't been there for long. What they did is added to their link, which is
 * locked first.
 */
const guests: RetentionPolicy = {
  name: 'guests',
  period: 'linkUsages',
  async removeBatch(em, before, limit) {
    const { rows } = await sql<{ count: string }>`
      with old as (
        select id, link_id from item_guests where last_at < ${before} order by last_at limit ${limit}
      ), links as (
        select id from item_links where id in (select link_id from old) order by id for no key update
      ), deleted as (
        delete from item_guests
        where id in (select id from old) and link_id in (select id from links) and last_at < ${before}
        returning link_id, views, downloads, last_at
      ), counted as (
        update item_links l set removed_guest_views = l.removed_guest_views + d.views,
          removed_guest_downloads = l.removed_guest_downloads + d.downloads,
          removed_guest_visit_at = greatest(l.removed_guest_visit_at, d.last_at)
        from (
          select link_id, sum(views)::int as views, sum(downloads)::int as downloads, max(last_at) as last_at
          from deleted group by 1
        ) d
        where l.id = d.link_id
      )
      select count(*) from deleted`.execute(em.getKysely());
    return Number(rows[0]!.count);
  },
};

/**
 * Deletes the events of an email together, once the last of them is old. An email has few events. It stores the links
 * for which it has been counted, so that a recipient who clicks again later isn't counted twice in the totals of a
 * link.
 */
const campaignEvents: RetentionPolicy = {
  name: 'campaign-events',
  period: 'campaignEvents',
  async removeBatch(em, before, limit) {
    const { rows } = await sql<{ count: string }>`
      with old as (
        select distinct delivery_id from (
          select e.delivery_id from campaign_events e
          where e.created_at < ${before} and not exists (
            select from campaign_events n where n.delivery_id = e.delivery_id and n.created_at >= ${before})
          order by e.created_at limit ${limit}) found
      ), mails as (
        select id, coalesce(counted_links, '{}') as counted from deliveries
        where id in (select delivery_id from old) order by id for no key update
      ), deleted as (
        delete from campaign_events where delivery_id in (select id from mails)
        returning campaign_id, delivery_id, type, coalesce(link, -1) as link, verdict
      ), new_clicks as (
        select distinct g.campaign_id, g.delivery_id, g.link from deleted g join mails m on m.id = g.delivery_id
        where g.type = 'click' and g.verdict <> 'machine' and g.link <> all (m.counted)
      ), marked as (
        update deliveries d set counted_links = coalesce(d.counted_links, '{}') || r.links
        from (select delivery_id, array_agg(link::smallint) as links from new_clicks group by 1) r where d.id = r.delivery_id
      ), counted as (
        insert into campaign_event_totals as t (campaign_id, link, clicks, recipients, machine_events)
        select g.campaign_id, g.link, count(*) filter (where g.type = 'click' and g.verdict <> 'machine'),
          (select count(*) from new_clicks r where r.campaign_id = g.campaign_id and r.link = g.link),
          count(*) filter (where g.verdict = 'machine')
        from deleted g group by 1, 2 order by 1, 2
        on conflict (campaign_id, link) do update set clicks = t.clicks + excluded.clicks,
          recipients = t.recipients + excluded.recipients, machine_events = t.machine_events + excluded.machine_events
      )
      select count(*) from deleted`.execute(em.getKysely());
    return Number(rows[0]!.count);
  },
};

/** Only days that the roll-ups include, and none that is still to be recounted. */
const isCounted = (before: Date) => sql<boolean>`
  ${before}::timestamptz <= (select coalesce(max(through), 'epoch') from roll_ups where name = 'activity')
  and not exists (select from dirty_days where day < (${before}::timestamptz at time zone 'UTC')::date + 1)`;

/** Whole days only: today and yesterday are recounted repeatedly and must be complete. */
const activity: RetentionPolicy = {
  name: 'activity',
  period: 'activity',
  async removeBatch(em, instant, limit) {
    const before = startOfDay(instant);
    const { rows } = await sql<{ ready: boolean }>`select ${isCounted(before)} as ready`.execute(em.getKysely());
    if (!rows[0]!.ready) return 0;
    await dropMonthPartitions(em, 'activity', before);
    return countAffected(
      em,
      sql`delete from activity where (id, created_at) in (
        select id, created_at from activity where created_at < ${before} order by created_at limit ${limit})`,
    );
  },
};

/** Whole days whose figures by page and day are complete: only today and yesterday are still rolled up. */
const pageReads: RetentionPolicy = {
  name: 'page-reads',
  period: 'reading',
  async removeBatch(em, instant, limit) {
    const before = startOfDay(instant);
    const { rows } = await sql<{ ready: boolean }>`
      select through >= ${before} as ready from roll_ups where name = 'reading'`.execute(em.getKysely());
    if (!rows[0]?.ready) return 0;
    await dropMonthPartitions(em, 'page_reads', before);
    return countAffected(
      em,
      sql`delete from page_reads where (id, created_at) in (
        select id, created_at from page_reads where created_at < ${before} order by created_at limit ${limit})`,
    );
  },
};

const startOfDay = (instant: Date): Date => new Date(`${instant.toISOString().slice(0, 10)}T00:00:00.000Z`);

/** Daily counts of emails; only those of today are used. */
const emailCounts: RetentionPolicy = {
  name: 'mail-counts',
  period: 'mailCounts',
  removeBatch: (em, before, limit) =>
    countAffected(
      em,
      sql`delete from stranger_mails where (owner_id, day, scope, subject) in (
        select owner_id, day, scope, subject from stranger_mails where day < ${before.toISOString().slice(0, 10)}
        limit ${limit} for update skip locked)`,
    ),
};

/** Consents, unsubscribes and leaves of deleted zones. Campaign reports are deleted with their owner. */
const deletedZones = (['email_consents', 'email_unsubscribes', 'zone_leaves'] as const).map(
  (table): RetentionPolicy => ({
    name: `${table.replace('_', '-')}-of-deleted-zones`,
    period: 'deletedZones',
    removeBatch: (em, before, limit) =>
      countAffected(
        em,
        sql`delete from ${sql.table(table)} where id in (
          select t.id from deleted_zones g join ${sql.table(table)} t on t.zone_id = g.id
          where g.deleted_at < ${before} order by t.id limit ${limit} for update of t skip locked)`,
      ),
  }),
);

/** All policies, in the order of removal. */
export const retentionPolicies = freezeList<readonly RetentionPolicy[]>([
  ...[webhookBodies, ...addresses],
  ...[linkUsages, guests, campaignEvents, activity, pageReads, emailCounts],
  ...deletedZones,
]);

/** Retention periods in days; 0 means forever. */
export type RetentionPeriods = AppConfig['retention'] & {
  readonly mailCounts: number;
  readonly deletedZones: number;
};

/** Only the counts of the current day (UTC) are used. */
const EMAIL_COUNT_DAYS = 2;

/** Data of a deleted zone is kept as proof for three years. */
const DELETED_ZONE_DAYS = 3 * 365;

export const retentionPeriodsOf = ({ retention }: AppConfig): RetentionPeriods => ({
  ...retention,
  mailCounts: EMAIL_COUNT_DAYS,
  deletedZones: DELETED_ZONE_DAYS,
});

/** Converts days to milliseconds; 0 (forever) becomes null. */
export const daysToMilliseconds = (days: number): number | null => (days === 0 ? null : days * DAY);
