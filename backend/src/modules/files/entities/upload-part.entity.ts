import { defineEntity, p } from '@mikro-orm/core';
import { Upload } from './upload.entity.js';

/** Bytes of an unfinished upload, in an object of their own. The row is written before the object. */
export const UploadPartSchema = defineEntity({
  name: 'UploadPart',
  tableName: 'upload_parts',
  indexes: [
    { name: 'upload_parts_upload_id_index', properties: ['uploadId'] },
    {
      name: 'upload_parts_upload_id_start_unique',
      expression:
        'create unique index "upload_parts_upload_id_start_unique" on "upload_parts" ("upload_id", "start") where "size" is not null',
    },
  ],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    uploadId: () =>
      p
        .manyToOne(Upload)
        .mapToPk()
        .fieldName('upload_id')
        .deleteRule('cascade')
        .foreignKeyName('upload_parts_upload_id_foreign'),
    objectKey: p.string().length(100).unique('upload_parts_object_key_unique'),
    /** Where in the file it begins, in bytes. */
    start: p.bigint('number'),
    /** Bytes; null until its object is stored. */
    size: p.bigint('number').nullable(),
  },
});
export class UploadPart extends UploadPartSchema.class {}
UploadPartSchema.setClass(UploadPart);
