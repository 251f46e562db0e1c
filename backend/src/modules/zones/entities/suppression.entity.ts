import { defineEntity, p } from '@mikro-orm/core';
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
    ownerId: () =>
      p
        .manyToOne(User)
        .mapToPk()
        .nullable()
        .fieldName('owner_id')
        .deleteRule('cascade')
        .foreignKeyName('suppressions_owner_id_foreign'),
    digest: p.string().length(64),
    reason: p.string().$type<SuppressionReason>().length(20),
    createdAt: p.datetime(),
  },
});
export class Suppression extends SuppressionSchema.class {}
SuppressionSchema.setClass(Suppression);
