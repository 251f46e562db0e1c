import { defineEntity, p } from '@mikro-orm/core';
import { belongsTo, refersTo } from '../../../platform/database/foreign-key.js';
import { User } from '../../auth/entities/user.entity.js';

/**
 * The distinct people of an owner by email address. `zones` counts memberships across the owner's zones, `pending`
 * counts open invitations. The plan's member limit counts rows where zones + pending is above 0.
 */
export const AudienceSchema = defineEntity({
  name: 'Audience',
  tableName: 'audience',
  indexes: [{ name: 'audience_user_id_index', properties: ['userId'] }],
  checks: [{ name: 'audience_counts_check', expression: 'zones >= 0 and pending >= 0' }],
  properties: {
    ownerId: () => belongsTo(User, 'audience', 'owner_id').primary(),
    emailKey: p.string().length(255).primary(),
    userId: () => refersTo(User, 'audience', 'user_id'),
    zones: p.integer().default(0),
    pending: p.integer().default(0),
  },
});
export class Audience extends AudienceSchema.class {}
AudienceSchema.setClass(Audience);
