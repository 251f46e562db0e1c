import { defineEntity, p } from '@mikro-orm/core';
import { belongsTo } from '../../../platform/database/foreign-key.js';
import { Zone } from '../../zones/entities/zone.entity.js';
import { TemporaryLink } from './temporary-link.entity.js';

/** Totals of deleted old attempts, which are added to the counts of existing ones. */
export const LinkUsageTotalSchema = defineEntity({
  name: 'LinkUsageTotal',
  tableName: 'link_usage_totals',
  indexes: [
    {
      name: 'link_usage_totals_unique',
      expression:
        'create unique index "link_usage_totals_unique" on "link_usage_totals" ("zone_id", "link_id", "country", "outcome") nulls not distinct',
    },
    { name: 'link_usage_totals_link_id_index', properties: ['linkId'] },
  ],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    zoneId: () => belongsTo(Zone, 'link_usage_totals', 'zone_id'),
    /** Null for the public link. */
    linkId: () => belongsTo(TemporaryLink, 'link_usage_totals', 'link_id').nullable(),
    country: p.string().length(2).nullable(),
    outcome: p.string().length(30),
    attempts: p.bigint('number').default(0),
    joins: p.bigint('number').default(0),
    newUsers: p.bigint('number').default(0),
  },
});
export class LinkUsageTotal extends LinkUsageTotalSchema.class {}
LinkUsageTotalSchema.setClass(LinkUsageTotal);
