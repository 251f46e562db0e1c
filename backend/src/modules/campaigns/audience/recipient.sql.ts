import { sql, type RawBuilder } from 'kysely';
import { addMilliseconds, DAY } from '../../../platform/clock/clock.js';
import type { TargetAudience } from '../entities/campaign.entity.js';

/**
 * Conditions that determine the recipients of a zone's emails, with the aliases `m` (zone_members), `u` (users) and `z`
 * (zones). The same conditions are used for counting recipients, for creating deliveries, and again when each delivery
 * is claimed.
 */

/** Members who joined within this time count as recent. */
const RECENT_MEMBER_AGE = 30 * DAY;

/** The person is currently a member. */
export const isActiveMemberSql = (now: Date): RawBuilder<boolean> =>
  sql<boolean>`(m.role <> 'owner' and (m.expires_at is null or m.expires_at > ${now}))`;

/** The member belongs to the chosen audience. */
export function isInAudienceSql(audience: TargetAudience, now: Date): RawBuilder<boolean> {
  const border = addMilliseconds(now, -RECENT_MEMBER_AGE);
  if (audience === 'recent') return sql<boolean>`m.created_at >= ${border}`;
  return audience === 'older' ? sql<boolean>`m.created_at < ${border}` : sql<boolean>`true`;
}

/** The account can receive emails: it is neither deactivated nor erased. */
export const isReachableSql = sql<boolean>`(u.deactivated_at is null and u.erased_at is null)`;

/** The member consented, or joined by a purchase in a zone that does not require consent; and has not unsubscribed. */
export const hasEmailConsentSql = sql<boolean>`(
  (exists (select from email_consents c where c.zone_id = m.zone_id and c.user_id = m.user_id)
    or (m.join_method = 'purchase' and not z.requires_email_optin))
  and not exists (select from email_unsubscribes n where n.zone_id = m.zone_id and n.user_id = m.user_id))`;
