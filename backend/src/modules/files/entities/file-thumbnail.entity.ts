import { defineEntity, p } from '@mikro-orm/core';
import { File } from './file.entity.js';

/** The small picture of a file, once there is one. Its object goes with the file's. */
export const FileThumbnailSchema = defineEntity({
  name: 'FileThumbnail',
  tableName: 'file_thumbnails',
  properties: {
    file: () =>
      p
        .manyToOne(File)
        .mapToPk()
        .primary()
        .fieldName('file_id')
        .deleteRule('cascade')
        .foreignKeyName('file_thumbnails_file_id_foreign'),
    objectKey: p.string().length(100).unique('file_thumbnails_object_key_unique'),
    /** Bytes. */
    size: p.integer(),
  },
});
export class FileThumbnail extends FileThumbnailSchema.class {}
FileThumbnailSchema.setClass(FileThumbnail);
