import { defineEntity, p } from '@mikro-orm/core';

/**
 * The plan of whoever has no larger one, as all processes enforce it: one row, none while it has always been free. It follows
 * the variable and the settings, of which a process may know older ones, and tells whether what is enforced follows it.
 */
export const DefaultPlanSchema = defineEntity({
  name: 'DefaultPlan',
  tableName: 'default_plan',
  checks: [{ name: 'default_plan_only_check', property: 'only', expression: '"only"' }],
  properties: {
    only: p.boolean().primary().default(true),
    plan: p.string().length(50),
    changedAt: p.datetime(),
  },
});
export class DefaultPlan extends DefaultPlanSchema.class {}
DefaultPlanSchema.setClass(DefaultPlan);
