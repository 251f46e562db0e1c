import { defineEntity, p } from '@mikro-orm/core';
import type { StorageType } from '../../../platform/storage/storage.js';

/** An object that no row referenced at the last comparison. It is kept under another key until it is deleted. */
export const QuarantinedObjectSchema = defineEntity({
  name: 'QuarantinedObject',
  tableName: 'quarantined_objects',
  indexes: [{ name: 'quarantined_objects_found_at_index', properties: ['foundAt'] }],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    /** The original key, which the object gets back when it is restored. */
    objectKey: p.string().length(200).unique('quarantined_objects_object_key_unique'),
    storageType: p.string().length(10).$type<StorageType>(),
    /** Bytes. */
    size: p.bigint('number'),
    foundAt: p.datetime(),
  },
});
export class QuarantinedObject extends QuarantinedObjectSchema.class {}
QuarantinedObjectSchema.setClass(QuarantinedObject);
