import { defineEntity, p } from '@mikro-orm/core';
import { belongsTo } from '../../../../platform/database/foreign-key.js';
import { User } from '../../entities/user.entity.js';

/** An identity at an identity provider: issuer and subject identify it, never the address. */
export const ExternalIdentitySchema = defineEntity({
  name: 'ExternalIdentity',
  tableName: 'external_identities',
  uniques: [{ name: 'external_identities_issuer_subject_unique', properties: ['issuer', 'subject'] }],
  indexes: [{ name: 'external_identities_user_id_index', properties: ['userId'] }],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    userId: () => belongsTo(User, 'external_identities', 'user_id'),
    issuer: p.string().length(500),
    subject: p.string().length(255),
    /** The address that the provider reported last; for display only. */
    email: p.string().length(255),
    createdAt: p.datetime(),
    lastUsedAt: p.datetime(),
  },
});
export class ExternalIdentity extends ExternalIdentitySchema.class {}
ExternalIdentitySchema.setClass(ExternalIdentity);

/**
 * A sign-in sent to the provider that has not returned yet. `digest` is that of the id in the browser's cookie, from
 * which state, nonce and code verifier are derived, so this row is useless to anyone who reads it.
 */
export const SsoAuthorizationRequestSchema = defineEntity({
  name: 'SsoAuthorizationRequest',
  tableName: 'begun_sign_ins',
  indexes: [{ name: 'begun_sign_ins_expires_at_index', properties: ['expiresAt'] }],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    digest: p.string().length(64).unique('begun_sign_ins_digest_unique'),
    /** Path of this site to redirect to afterwards. */
    next: p.string().length(500).nullable(),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
  },
});
export class SsoAuthorizationRequest extends SsoAuthorizationRequestSchema.class {}
SsoAuthorizationRequestSchema.setClass(SsoAuthorizationRequest);

/**
 * A visitor returned from the provider with the address of an account, and has not yet proved that the account is
 * theirs. `digest` is that of the id in the browser's cookie.
 */
export const PendingIdentityLinkSchema = defineEntity({
  name: 'PendingIdentityLink',
  tableName: 'pending_identity_links',
  indexes: [
    { name: 'pending_identity_links_user_id_index', properties: ['userId'] },
    { name: 'pending_identity_links_expires_at_index', properties: ['expiresAt'] },
  ],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    digest: p.string().length(64).unique('pending_identity_links_digest_unique'),
    userId: () => belongsTo(User, 'pending_identity_links', 'user_id'),
    issuer: p.string().length(500),
    subject: p.string().length(255),
    /** The address that provider and account share; compared with the account's again at confirmation. */
    email: p.string().length(255),
    tries: p.integer().default(0),
    createdAt: p.datetime(),
    expiresAt: p.datetime(),
  },
});
export class PendingIdentityLink extends PendingIdentityLinkSchema.class {}
PendingIdentityLinkSchema.setClass(PendingIdentityLink);
