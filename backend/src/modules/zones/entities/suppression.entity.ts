import { defineEntity, p } from '@mikro-orm/core';
import { belongsTo } from '../../../platform/database/foreign-key.js';
import { User } from '../../auth/entities/user.entity.js';

/**
 * Why an address is suppressed: the person deleted their account, emails failed too often, or the person complained.
 */
export type SuppressionReason = 'erased' | 'failed' | 'complaint';

/**
 * An address that must not be emailed by an owner, or by anyone if `ownerId` is null. Only its keyed digest is stored.
 */
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

/** When the suppression of a repeatedly failing address was lifted. Earlier failures no longer count. */
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
