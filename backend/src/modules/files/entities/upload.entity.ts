import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../../auth/entities/user.entity.js';

/**
 * The intent to store an object, written before the object: whatever breaks off is found by it. Whoever deletes the
 * row, in one transaction, decides: the upload that completes, or the clean-up.
 */
export const UploadSchema = defineEntity({
  name: 'Upload',
  tableName: 'uploads',
  indexes: [
    { name: 'uploads_owner_id_index', properties: ['ownerId'] },
    { name: 'uploads_lease_until_index', properties: ['leaseUntil'] },
  ],
  checks: [{ name: 'uploads_reserved_check', expression: 'reserved >= 0' }],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    objectKey: p.string().length(100).unique('uploads_object_key_unique'),
    /** Whose plan holds the reservation. */
    ownerId: () =>
      p
        .manyToOne(User)
        .mapToPk()
        .fieldName('owner_id')
        .deleteRule('cascade')
        .foreignKeyName('uploads_owner_id_foreign'),
    /** Bytes held in the owner's usage for this upload. */
    reserved: p.bigint('number').default(0),
    /** Extended while bytes come; after it the upload is taken for dead. */
    leaseUntil: p.datetime(),
    createdAt: p.datetime(),
  },
});
export class Upload extends UploadSchema.class {}
UploadSchema.setClass(Upload);
