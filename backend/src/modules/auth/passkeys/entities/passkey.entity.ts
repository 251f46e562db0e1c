import { defineEntity, p } from '@mikro-orm/core';
import { belongsTo } from '../../../../platform/database/foreign-key.js';
import { User } from '../../entities/user.entity.js';

/** A user's passkey. The private key never leaves their device. */
export const PasskeySchema = defineEntity({
  name: 'Passkey',
  tableName: 'passkeys',
  indexes: [{ name: 'passkeys_user_id_index', properties: ['userId'] }],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    userId: () => belongsTo(User, 'passkeys', 'user_id'),
    /** Base64url, as the browser reports it. */
    credentialId: p.string().length(1400).unique('passkeys_credential_id_unique'),
    /** COSE key in base64url. */
    publicKey: p.string().length(2000),
    /** Signature counter of the authenticator; always 0 for authenticators without one. */
    counter: p.bigint('number'),
    /** Transports of the browser (WebAuthn), separated by commas. */
    transports: p.string().length(255),
    /** It has asked for a PIN, fingerprint or face before (WebAuthn user verification). */
    verifiesUser: p.boolean(),
    name: p.string().length(60),
    createdAt: p.datetime(),
    lastUsedAt: p.datetime().nullable(),
  },
});
export class Passkey extends PasskeySchema.class {}
PasskeySchema.setClass(Passkey);

/** A pending challenge: one digest over the challenge, its purpose and its holder. */
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
