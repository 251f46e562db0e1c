import { defineEntity, p } from '@mikro-orm/core';
import { belongsTo } from '../../../platform/database/foreign-key.js';
import { User } from '../../auth/entities/user.entity.js';

/** Why an address gets no mail: its person deleted the account, or it failed or complained too often. */
export type SuppressionReason = 'erased' | 'failed' | 'complaint';

/** An address that gets no mail of an owner, or (`ownerId` null) of anybody; only its keyed digest is known. */
export const SuppressionSchema = defineEntity({
  name: 'Suppression',
  tableName: 'suppressions',
  indexes: [
    {
      name: 'suppressions_owner_id_digest_unique',
      expression:
        'create unique index "suppressions_owner_id_digest_unique" on "suppressions" (coalesce("owner_id", 0), "digest")',
    },
    { name: 'suppressions_owner_id_index', properties: ['ownerId'] },
    { name: 'suppressions_digest_index', properties: ['digest'] },
  ],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    ownerId: () => belongsTo(User, 'suppressions', 'owner_id').nullable(),
    digest: p.string().length(64),
    reason: p.string().$type<SuppressionReason>().length(20),
    createdAt: p.datetime(),
  },
});
export class Suppression extends SuppressionSchema.class {}
SuppressionSchema.setClass(Suppression);

/** When an address that had failed too often was written to again: what failed before that does not count any more. */
export const SuppressionLiftSchema = defineEntity({
  name: 'SuppressionLift',
  tableName: 'suppression_lifts',
  properties: {
    ownerId: () => belongsTo(User, 'suppression_lifts', 'owner_id').primary(),
    digest: p.string().length(64).primary(),
    liftedAt: p.datetime(),
  },
});
export class SuppressionLift extends SuppressionLiftSchema.class {}
SuppressionLiftSchema.setClass(SuppressionLift);
