import { defineEntity, p } from '@mikro-orm/core';
import { belongsTo } from '../../../../platform/database/foreign-key.js';
import { User } from '../../entities/user.entity.js';

/** A user's authenticator app. It is active only after a first valid code has confirmed it. */
export const AuthenticatorSchema = defineEntity({
  name: 'Authenticator',
  tableName: 'authenticators',
  properties: {
    userId: () => belongsTo(User, 'authenticators', 'user_id').primary().updateRule('no action'),
    /** Encrypted by `seal`. */
    secret: p.string().length(255),
    /** The 30-second time step of the newest accepted code. Codes of this step or earlier are rejected. */
    lastStep: p.bigint('number').nullable(),
    confirmedAt: p.datetime().nullable(),
    createdAt: p.datetime(),
  },
});
export class Authenticator extends AuthenticatorSchema.class {}
AuthenticatorSchema.setClass(Authenticator);

/** A printable code that replaces a lost factor once. `digest` is its keyed digest. */
export const RecoveryCodeSchema = defineEntity({
  name: 'RecoveryCode',
  tableName: 'recovery_codes',
  uniques: [{ name: 'recovery_codes_user_id_digest_unique', properties: ['userId', 'digest'] }],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    userId: () => belongsTo(User, 'recovery_codes', 'user_id'),
    digest: p.string().length(64),
    usedAt: p.datetime().nullable(),
    createdAt: p.datetime(),
  },
});
export class RecoveryCode extends RecoveryCodeSchema.class {}
RecoveryCodeSchema.setClass(RecoveryCode);
