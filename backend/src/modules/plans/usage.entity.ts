import { defineEntity, p } from '@mikro-orm/core';
import { belongsTo } from '../../platform/database/foreign-key.js';
import { User } from '../auth/entities/user.entity.js';
import type { Metric } from './plan-catalogue.js';

/**
 * An owner's usage: one row per metric and period (`''`, or a month such as `2026-11` for emails). `reserved` is held
 * for uploads in progress. `allowed` null means unlimited.
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
    /** When the owner was last emailed that the limit is reached. */
    toldAt: p.datetime().nullable(),
  },
});
export class Usage extends UsageSchema.class {}
UsageSchema.setClass(Usage);

/** The limit warnings emailed to an owner in a month. The primary key ensures that each is sent once. */
export const UsageWarningSchema = defineEntity({
  name: 'UsageWarning',
  tableName: 'usage_warnings',
  properties: {
    ownerId: () => belongsTo(User, 'usage_warnings', 'owner_id').primary(),
    metric: p.string().$type<Metric>().length(20).primary(),
    /** "2026-11", UTC. */
    month: p.string().length(7).primary(),
    /** 80 or 100, in percent. */
    level: p.integer().primary(),
    warnedAt: p.datetime(),
  },
});
export class UsageWarning extends UsageWarningSchema.class {}
UsageWarningSchema.setClass(UsageWarning);
