import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../../auth/entities/user.entity.js';
import { Zone } from '../../zones/entities/zone.entity.js';

/** A moved item with its former name and folder, or a copy. */
export interface TransferredItem {
  readonly id: number;
  readonly name: string;
  /** The name that it got. */
  readonly newName: string;
  /** Null at the root. */
  readonly folderId: number | null;
}

export interface TransferredItems {
  readonly files: readonly TransferredItem[];
  readonly folders: readonly TransferredItem[];
}

/** Items that were copied, or moved to another zone, while that can be undone. */
export const TransferSchema = defineEntity({
  name: 'Transfer',
  tableName: 'transfers',
  indexes: [
    { name: 'transfers_user_id_index', properties: ['userId'] },
    { name: 'transfers_source_zone_id_index', properties: ['sourceZoneId'] },
    { name: 'transfers_target_zone_id_index', properties: ['targetZoneId'] },
    { name: 'transfers_expires_at_index', properties: ['expiresAt'] },
  ],
  checks: [{ name: 'transfers_kind_check', expression: "kind in ('copy', 'move')" }],
  properties: {
    id: p.uuid().primary(),
    kind: p.string().$type<'copy' | 'move'>().length(10),
    /** Only this user can undo it. */
    userId: () => p.manyToOne(User).mapToPk().fieldName('user_id').deleteRule('cascade'),
    sourceZoneId: () => p.manyToOne(Zone).mapToPk().fieldName('source_zone_id').deleteRule('cascade'),
    targetZoneId: () => p.manyToOne(Zone).mapToPk().fieldName('target_zone_id').deleteRule('cascade'),
    items: p.json<TransferredItems>(),
    /** The deletion of the items that were replaced; null if there were none. */
    trashId: p.uuid().nullable(),
    expiresAt: p.datetime(),
  },
});
export class Transfer extends TransferSchema.class {}
TransferSchema.setClass(Transfer);
