import { defineEntity, p } from '@mikro-orm/core';
import { belongsTo } from '../../platform/database/foreign-key.js';
import { User } from '../auth/entities/user.entity.js';

/**
 * The sources of an owner's plan: the plan paid for, the one granted by a super admin, and the agreed enterprise limits
 * (null: unlimited). `users.plan` is derived from them and never contains the default plan. No row means free.
 */
export const OwnerPlanSchema = defineEntity({
  name: 'OwnerPlan',
  tableName: 'owner_plans',
  checks: [
    {
      name: 'owner_plans_limits_check',
      expression: 'zones >= 0 and people >= 0 and bytes >= 0 and mails >= 0 and invites >= 0',
    },
  ],
  properties: {
    ownerId: () => belongsTo(User, 'owner_plans', 'owner_id').primary(),
    subscribedPlan: p.string().length(50).default('free'),
    grantedPlan: p.string().length(50).nullable(),
    zones: p.bigint('number').nullable(),
    people: p.bigint('number').nullable(),
    bytes: p.bigint('number').nullable(),
    mails: p.bigint('number').nullable(),
    invites: p.bigint('number').nullable(),
    updatedAt: p.datetime(),
  },
});
export class OwnerPlan extends OwnerPlanSchema.class {}
OwnerPlanSchema.setClass(OwnerPlan);
