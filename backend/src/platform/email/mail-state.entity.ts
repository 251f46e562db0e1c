import { defineEntity, p } from '@mikro-orm/core';

/** A single row: whether the mail server accepts emails. Written by all processes that send. */
export const MailStateSchema = defineEntity({
  name: 'MailState',
  tableName: 'mail_state',
  checks: [{ name: 'mail_state_only_check', expression: 'id = 1' }],
  properties: {
    id: p.integer().primary().autoincrement(false),
    /** When the server last accepted an email, to the minute; null before the first. */
    takenAt: p.datetime().nullable(),
    /** Since when the server has rejected all emails; null while it accepts them. */
    refusingSince: p.datetime().nullable(),
    /** When it last failed, to the minute. */
    refusedAt: p.datetime().nullable(),
    /** The last error message, without email addresses. */
    reason: p.string().length(300).nullable(),
  },
});
export class MailState extends MailStateSchema.class {}
MailStateSchema.setClass(MailState);
