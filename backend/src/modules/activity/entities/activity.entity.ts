import { defineEntity, p } from '@mikro-orm/core';
import type { ActivityType } from '../activity.events.js';

/**
 * The activity log, kept for RETENTION_ACTIVITY: type and parameters, formatted as text for display. The table is
 * partitioned by month on `created_at`, so that column is part of the key. No foreign keys: entries outlive what they
 * refer to.
 */
export const ActivitySchema = defineEntity({
  name: 'Activity',
  tableName: 'activity',
  indexes: [
    { name: 'activity_owner_id_created_at_index', properties: ['ownerId', 'createdAt', 'id'] },
    { name: 'activity_user_id_created_at_index', properties: ['userId', 'createdAt', 'id'] },
    { name: 'activity_file_id_created_at_index', properties: ['fileId', 'createdAt'] },
    { name: 'activity_created_at_index', properties: ['createdAt'], type: 'brin' },
    { name: 'activity_type_id_index', properties: ['type', 'id'] },
  ],
  triggers: [
    {
      /** Days with late entries are stored in `dirty_days` and recounted. */
      name: 'activity_late',
      timing: 'after',
      events: ['insert'],
      forEach: 'statement',
      expression: `create trigger "activity_late" after insert on "activity" referencing new table as added
        for each statement execute function "mark_late_activity"()`,
    },
  ],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    createdAt: p.datetime().primary(),
    type: p.string().$type<ActivityType>().length(40),
    /** Owner of the zone; null for events without a zone. */
    ownerId: p.bigint('number').nullable(),
    zoneId: p.bigint('number').nullable(),
    /** The acting user. */
    userId: p.bigint('number').nullable(),
    fileId: p.bigint('number').nullable(),
    params: p.json<Record<string, string>>(),
  },
});
export class Activity extends ActivitySchema.class {}
ActivitySchema.setClass(Activity);
