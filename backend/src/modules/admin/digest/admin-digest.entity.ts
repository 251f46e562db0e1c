import { defineEntity, p } from '@mikro-orm/core';

/** Which time the news of a day (UTC) tell of, and the job that tells them: a second try of it tells the same. */
export const AdminDigestSchema = defineEntity({
  name: 'AdminDigest',
  tableName: 'staff_news',
  properties: {
    day: p.date().primary(),
    jobId: p.bigint('number'),
    since: p.datetime(),
    until: p.datetime(),
  },
});
export class AdminDigest extends AdminDigestSchema.class {}
AdminDigestSchema.setClass(AdminDigest);
