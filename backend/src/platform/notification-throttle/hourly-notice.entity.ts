import { defineEntity, p } from '@mikro-orm/core';

/**
 * When each kind of notification was last sent per subject, and by which job. Events within the next hour share one
 * email.
 */
export const HourlyNoticeSchema = defineEntity({
  name: 'HourlyNotice',
  tableName: 'hourly_notices',
  indexes: [{ name: 'hourly_notices_told_at_index', properties: ['toldAt'] }],
  properties: {
    /** The name of the job that sends it. */
    kind: p.string().length(60).primary(),
    /** The user or zone it is about; 0 when there is only one subject. */
    subjectId: p.bigint('number').primary().autoincrement(false),
    jobId: p.bigint('number'),
    toldAt: p.datetime(),
  },
});
export class HourlyNotice extends HourlyNoticeSchema.class {}
HourlyNoticeSchema.setClass(HourlyNotice);
