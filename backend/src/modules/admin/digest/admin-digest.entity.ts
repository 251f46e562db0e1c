import { defineEntity, p } from '@mikro-orm/core';

/** The period covered by the digest of a day (UTC), and the job that sends it; a retry covers the same period. */
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
