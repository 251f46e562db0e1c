import { defineEntity, p } from '@mikro-orm/core';
import { belongsTo } from '../../../platform/database/foreign-key.js';
import { Zone } from './zone.entity.js';

/** Counts shown in lists: without trash and mirrored items; `bytes` includes the trash. */
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
    /** Those who count as members: without the owner and without expired rows. */
    members: p.integer().default(0),
    bytes: p.bigint('number').default(0),
    /** When a file or folder shown in the zone, also through a mirror, came, changed or went last. */
    contentChangedAt: p.datetime().nullable(),
  },
});
export class ZoneStats extends ZoneStatsSchema.class {}
ZoneStatsSchema.setClass(ZoneStats);
