import { defineEntity, p } from '@mikro-orm/core';

export type TokenPurpose =
  'verify-email' | 'reset-password' | 'sign-in' | 'change-email' | 'undo-email-change' | 'prove-reply-to' | 'setup';

/** A single-use secret, emailed or printed for the operator of the installation. `digest` is its SHA-256. */
export const SingleUseTokenSchema = defineEntity({
  name: 'SingleUseToken',
  tableName: 'single_use_tokens',
  indexes: [
    { name: 'single_use_tokens_email_purpose_index', properties: ['email', 'purpose'] },
    { name: 'single_use_tokens_expires_at_index', properties: ['expiresAt'] },
  ],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    digest: p.string().length(64).unique('single_use_tokens_digest_unique'),
    purpose: p.string().$type<TokenPurpose>().length(30),
    email: p.string().length(255),
    /** What the token is about, such as the pending join; compared on use. */
    subject: p.string().length(100).default(''),
    /**
     * The requester, as identified by `RequesterFingerprintService`; empty where nobody else could have requested it.
     */
    askedBy: p.string().length(64).default(''),
    expiresAt: p.datetime(),
    usedAt: p.datetime().nullable(),
    createdAt: p.datetime(),
  },
});
export class SingleUseToken extends SingleUseTokenSchema.class {}
SingleUseTokenSchema.setClass(SingleUseToken);

export type CodePurpose = 'register' | 'sign-in' | 'confirm' | 'link-identity' | 'join';

/** A 6-digit code sent to an address. `code` is its keyed digest. */
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
    /**
     * The requester, as identified by `RequesterFingerprintService`; empty where nobody else could have requested it.
     */
    askedBy: p.string().length(64).default(''),
    /** Attempts by the requester. */
    tries: p.integer().default(0),
    /** Attempts by everyone else together. */
    triesElsewhere: p.integer().default(0),
    expiresAt: p.datetime(),
    isUsed: p.boolean().default(false),
    createdAt: p.datetime(),
  },
});
export class EmailVerification extends EmailVerificationSchema.class {}
EmailVerificationSchema.setClass(EmailVerification);
