import { defineEntity, p } from '@mikro-orm/core';
import { belongsTo } from '../../../platform/database/foreign-key.js';
import { User } from '../entities/user.entity.js';

/** A sign-in that waits for the second factor. Its token grants nothing on its own. */
export const PendingSignInSchema = defineEntity({
  name: 'PendingSignIn',
  tableName: 'pending_sign_ins',
  checks: [
    {
      name: 'pending_sign_ins_identity_check',
      expression: 'num_nulls(issuer, subject, identity_email) in (0, 3)',
    },
  ],
  indexes: [
    { name: 'pending_sign_ins_user_id_index', properties: ['userId'] },
    { name: 'pending_sign_ins_expires_at_index', properties: ['expiresAt'] },
  ],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    digest: p.string().length(64).unique('pending_sign_ins_digest_unique'),
    userId: () => belongsTo(User, 'pending_sign_ins', 'user_id'),
    /** Whether the resulting session is restricted. */
    restricted: p.boolean(),
    /** The provider identity to be linked to the account when the sign-in is complete. */
    issuer: p.string().length(500).nullable(),
    subject: p.string().length(255).nullable(),
    identityEmail: p.string().length(255).nullable(),
    expiresAt: p.datetime(),
    createdAt: p.datetime(),
  },
});
export class PendingSignIn extends PendingSignInSchema.class {}
PendingSignInSchema.setClass(PendingSignIn);
