import { defineEntity, p } from '@mikro-orm/core';
import { belongsTo } from '../../../platform/database/foreign-key.js';
import { User } from '../../auth/entities/user.entity.js';

/** Whose mails a row counts: all of an owner, those that the links of a zone cause, or those to one address. */
export type EmailQuotaScope = 'owner' | 'zone' | 'address';

/** How many mails to people who are not in the zone yet an owner has caused on a day (UTC). */
export const NonMemberEmailCountSchema = defineEntity({
  name: 'NonMemberEmailCount',
  tableName: 'stranger_mails',
  indexes: [{ name: 'stranger_mails_day_index', properties: ['day'] }],
  checks: [{ name: 'stranger_mails_used_check', expression: 'used >= 0' }],
  properties: {
    ownerId: () => belongsTo(User, 'stranger_mails', 'owner_id').primary(),
    /** "2026-11-22". */
    day: p.string().length(10).primary(),
    scope: p.string().$type<EmailQuotaScope>().length(10).primary(),
    /** '' for the owner, the id of a zone, or a keyed digest of an address. */
    subject: p.string().length(64).primary(),
    used: p.bigint('number').default(0),
    /** When the owner was told that visitors wait; in the row of the owner. */
    toldAt: p.datetime().nullable(),
  },
});
export class NonMemberEmailCount extends NonMemberEmailCountSchema.class {}
NonMemberEmailCountSchema.setClass(NonMemberEmailCount);
