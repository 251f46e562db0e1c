import { defineEntity, p } from '@mikro-orm/core';

export type CodePurpose = 'register';

/** A 6-digit code sent to an address; `code` is its keyed digest. */
export const EmailVerificationSchema = defineEntity({
  name: 'EmailVerification',
  tableName: 'email_verifications',
  indexes: [
    { name: 'email_verifications_email_type_index', properties: ['email', 'type'] },
    { name: 'email_verifications_expires_at_index', properties: ['expiresAt'] },
  ],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    email: p.string().length(255),
    code: p.string().length(64),
    type: p.string().$type<CodePurpose>().length(20),
    tries: p.integer().default(0),
    expiresAt: p.datetime(),
    isUsed: p.boolean().default(false),
    createdAt: p.datetime(),
  },
});
export class EmailVerification extends EmailVerificationSchema.class {}
EmailVerificationSchema.setClass(EmailVerification);
