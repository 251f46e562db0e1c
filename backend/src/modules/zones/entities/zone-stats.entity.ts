import { defineEntity, p } from '@mikro-orm/core';
import { belongsTo } from '../../../platform/database/foreign-key.js';
import { Zone } from './zone.entity.js';

/** Counters shown in lists, without trashed and mirrored items; `bytes` includes the trash. */
export const ZoneStatsSchema = defineEntity({
  name: 'ZoneStats',
  tableName: 'zone_stats',
  checks: [
    { name: 'zone_stats_counts_check', expression: 'files >= 0 and folders >= 0 and members >= 0 and bytes >= 0' },
  ],
  properties: {
    zoneId: () => belongsTo(Zone, 'zone_stats', 'zone_id').primary(),
    files: p.integer().default(0),
    folders: p.integer().default(0),
    /** Counted members, without the owner and expired memberships. */
    members: p.integer().default(0),
    bytes: p.bigint('number').default(0),
    /** When a file or folder visible in the zone, including through mirrors, was last added, changed or removed. */
    contentChangedAt: p.datetime().nullable(),
  },
});
export class ZoneStats extends ZoneStatsSchema.class {}
ZoneStatsSchema.setClass(ZoneStats);
