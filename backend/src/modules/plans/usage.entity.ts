import { defineEntity, p } from '@mikro-orm/core';
import { belongsTo } from '../../platform/database/foreign-key.js';
import { User } from '../auth/entities/user.entity.js';
import type { Metric } from './plan-catalogue.js';

/**
 * What an owner uses of a plan, a row a metric and period (`''`, or a month such as `2026-11` for mails).
 * `reserved` is held for uploads under way. `allowed` null is unlimited.
 */
export const UsageSchema = defineEntity({
  name: 'Usage',
  tableName: 'usage',
  checks: [{ name: 'usage_amounts_check', expression: 'used >= 0 and reserved >= 0' }],
  properties: {
    ownerId: () => belongsTo(User, 'usage', 'owner_id').primary(),
    metric: p.string().$type<Metric>().length(20).primary(),
    period: p.string().length(7).primary(),
    used: p.bigint('number').default(0),
    reserved: p.bigint('number').default(0),
    allowed: p.bigint('number').nullable(),
    /** When the owner was last told by mail that nothing more fits. */
    toldAt: p.datetime().nullable(),
  },
});
export class Usage extends UsageSchema.class {}
UsageSchema.setClass(Usage);

/** Which warnings about limits an owner has been mailed in a month; the key lets each go out once. */
export const UsageWarningSchema = defineEntity({
  name: 'UsageWarning',
  tableName: 'usage_warnings',
  properties: {
    ownerId: () => belongsTo(User, 'usage_warnings', 'owner_id').primary(),
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
