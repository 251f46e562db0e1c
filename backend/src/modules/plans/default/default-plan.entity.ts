import { defineEntity, p } from '@mikro-orm/core';

/**
 * The plan of users without a larger one, as all processes enforce it. One row, or none while it has always been free.
 * It is derived from the environment variable and the settings, of which a process may have an outdated copy, and shows
 * whether enforcement is up to date.
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
