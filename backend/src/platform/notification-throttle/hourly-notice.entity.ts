import { defineEntity, p } from '@mikro-orm/core';

/** When somebody was last told of a kind of news, and by which job: what follows within the hour is told together. */
export const HourlyNoticeSchema = defineEntity({
  name: 'HourlyNotice',
  tableName: 'hourly_notices',
  indexes: [{ name: 'hourly_notices_told_at_index', properties: ['toldAt'] }],
  properties: {
    /** The name of the job that tells. */
    kind: p.string().length(60).primary(),
    /** Whom or what it is about: a person, a zone; 0 where there is only one. */
    subjectId: p.bigint('number').primary().autoincrement(false),
    jobId: p.bigint('number'),
    toldAt: p.datetime(),
  },
});
export class HourlyNotice extends HourlyNoticeSchema.class {}
HourlyNoticeSchema.setClass(HourlyNotice);
