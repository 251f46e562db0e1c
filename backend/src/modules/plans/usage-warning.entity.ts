import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../auth/entities/user.entity.js';
import type { Metric } from './plan-catalogue.js';

/** Which warnings about limits an owner has been mailed in a month; the key lets each go out once. */
export const UsageWarningSchema = defineEntity({
  name: 'UsageWarning',
  tableName: 'usage_warnings',
  properties: {
    ownerId: () =>
      p
        .manyToOne(User)
        .mapToPk()
        .primary()
        .fieldName('owner_id')
        .deleteRule('cascade')
        .foreignKeyName('usage_warnings_owner_id_foreign'),
    metric: p.string().$type<Metric>().length(20).primary(),
    /** "2026-11", UTC. */
    month: p.string().length(7).primary(),
    /** 80 or 100, per cent. */
    level: p.integer().primary(),
    warnedAt: p.datetime(),
  },
});
export class UsageWarning extends UsageWarningSchema.class {}
UsageWarningSchema.setClass(UsageWarning);
