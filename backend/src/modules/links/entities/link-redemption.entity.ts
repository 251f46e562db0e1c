import { defineEntity, p } from '@mikro-orm/core';
import { belongsTo } from '../../../platform/database/foreign-key.js';
import { User } from '../../auth/entities/user.entity.js';
import { TemporaryLink } from './temporary-link.entity.js';

/** A person to whom a link has granted its days of membership; a link grants them only once per person. */
export const LinkRedemptionSchema = defineEntity({
  name: 'LinkRedemption',
  tableName: 'link_grants',
  indexes: [{ name: 'link_grants_user_id_index', properties: ['userId'] }],
  properties: {
    linkId: () => belongsTo(TemporaryLink, 'link_grants', 'link_id').primary(),
    userId: () => belongsTo(User, 'link_grants', 'user_id').primary(),
    grantedAt: p.datetime(),
  },
});
export class LinkRedemption extends LinkRedemptionSchema.class {}
LinkRedemptionSchema.setClass(LinkRedemption);
