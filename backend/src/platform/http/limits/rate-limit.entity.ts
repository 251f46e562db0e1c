import { defineEntity, p } from '@mikro-orm/core';

/** A window of a rate limit; the key contains a digest of the subject. */
export const RateLimitSchema = defineEntity({
  name: 'RateLimit',
  tableName: 'rate_limits',
  indexes: [{ name: 'rate_limits_ends_at_index', properties: ['endsAt'] }],
  properties: {
    key: p.string().length(120).primary(),
    count: p.integer(),
    endsAt: p.datetime(),
  },
});
export class RateLimit extends RateLimitSchema.class {}
RateLimitSchema.setClass(RateLimit);
