import { defineEntity, p } from '@mikro-orm/core';
import { belongsTo } from '../../../../platform/database/foreign-key.js';
import { User } from '../../entities/user.entity.js';

/** A passkey of a person. Its private key never leaves their device. */
export const PasskeySchema = defineEntity({
  name: 'Passkey',
  tableName: 'passkeys',
  indexes: [{ name: 'passkeys_user_id_index', properties: ['userId'] }],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    userId: () => belongsTo(User, 'passkeys', 'user_id'),
    /** In base64url, as the browser tells it. */
    credentialId: p.string().length(1400).unique('passkeys_credential_id_unique'),
    /** COSE, in base64url. */
    publicKey: p.string().length(2000),
    /** Uses that the authenticator has counted; always 0 of those that do not count. */
    counter: p.bigint('number'),
    /** How the browser reaches it, with commas between. */
    transports: p.string().length(255),
    /** It has shown that it asks for a PIN, a finger or a face. */
    verifiesUser: p.boolean(),
    name: p.string().length(60),
    createdAt: p.datetime(),
    lastUsedAt: p.datetime().nullable(),
  },
});
export class Passkey extends PasskeySchema.class {}
PasskeySchema.setClass(Passkey);

/** A challenge that waits for its answer: a digest of it, of what it is for, and of whoever was given it. */
export const PasskeyChallengeSchema = defineEntity({
  name: 'PasskeyChallenge',
  tableName: 'passkey_challenges',
  indexes: [{ name: 'passkey_challenges_expires_at_index', properties: ['expiresAt'] }],
  properties: {
    digest: p.string().length(64).primary(),
    expiresAt: p.datetime(),
  },
});
export class PasskeyChallenge extends PasskeyChallengeSchema.class {}
PasskeyChallengeSchema.setClass(PasskeyChallenge);
