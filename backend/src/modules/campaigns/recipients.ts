import { sql, type RawBuilder } from 'kysely';
import { after, DAY } from '../../platform/clock/clock.js';
import type { TargetAudience } from './entities/campaign.entity.js';

/**
 * Who gets the mails of a zone, as conditions on `m` (zone_members), `u` (users), `z` (zones): the same when recipients
 * are counted, when they are fixed, and once more when the turn of each has come.
 */

/** Members within this time count as recent. */
const RECENT = 30 * DAY;

/** Counts as a member at this moment. */
export const isMember = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`(m.role <> 'owner' and (m.expires_at is null or m.expires_at > ${now}))`;

/** Belongs to the audience chosen. */
export function isInAudience(audience: TargetAudience, now: Date): RawBuilder<boolean> {
  const border = after(now, -RECENT);
  if (audience === 'recent') return sql<boolean>`m.created_at >= ${border}`;
  return audience === 'older' ? sql<boolean>`m.created_at < ${border}` : sql<boolean>`true`;
}

/** Can be written to at all: the account works. */
export const isReachable = sql<boolean>`(u.deactivated_at is null and u.erased_at is null)`;

/** Wants the mails: agreed to them, or came by a purchase into a zone that does not ask for it; and did not end them. */
export const wantsMails = sql<boolean>`(
  (exists (select from email_consents c where c.zone_id = m.zone_id and c.user_id = m.user_id)
    or (m.join_method = 'purchase' and not z.requires_email_optin))
  and not exists (select from email_unsubscribes n where n.zone_id = m.zone_id and n.user_id = m.user_id))`;
