import { defineEntity, p } from '@mikro-orm/core';
import { belongsTo } from '../../../platform/database/foreign-key.js';
import { User } from '../../auth/entities/user.entity.js';

/** What a row counts: all emails of an owner, those caused by a zone's links, or those to one address. */
export type EmailQuotaScope = 'owner' | 'zone' | 'address';

/** Number of emails to non-members that an owner caused on one day (UTC). */
export const NonMemberEmailCountSchema = defineEntity({
  name: 'NonMemberEmailCount',
  tableName: 'stranger_mails',
  indexes: [{ name: 'stranger_mails_day_index', properties: ['day'] }],
  checks: [{ name: 'stranger_mails_used_check', expression: 'used >= 0' }],
  properties: {
    ownerId: () => belongsTo(User, 'stranger_mails', 'owner_id').primary(),
    /** Format: "2026-11-22". */
    day: p.string().length(10).primary(),
    scope: p.string().$type<EmailQuotaScope>().length(10).primary(),
    /** '' for scope `owner`; the id of the zone; or a keyed digest of the address. */
    subject: p.string().length(64).primary(),
    used: p.bigint('number').default(0),
    /** When the owner was notified that join emails are delayed. Only set in rows with scope `owner`. */
    toldAt: p.datetime().nullable(),
  },
});
export class NonMemberEmailCount extends NonMemberEmailCountSchema.class {}
NonMemberEmailCountSchema.setClass(NonMemberEmailCount);
