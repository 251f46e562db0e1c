import { defineEntity, p } from '@mikro-orm/core';
import type { StorageType } from '../../../platform/storage/storage.js';
import { User } from '../../auth/entities/user.entity.js';
import { File } from './file.entity.js';

/** An earlier content of a file. Written when the content is replaced; the current content is in `files`. */
export const FileVersionSchema = defineEntity({
  name: 'FileVersion',
  tableName: 'file_versions',
  indexes: [{ name: 'file_versions_uploaded_by_id_index', properties: ['uploadedById'] }],
  uniques: [{ name: 'file_versions_file_id_number_unique', properties: ['fileId', 'number'] }],
  checks: [
    { name: 'file_versions_size_check', expression: 'size >= 0' },
    { name: 'file_versions_number_check', expression: 'number >= 1' },
  ],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    /** A file can't be deleted before its versions, because their rows reference the objects to delete. */
    fileId: () => p.manyToOne(File).mapToPk().fieldName('file_id').deleteRule('no action'),
    /** 1 for the first content of the file. */
    number: p.integer(),
    /** Name of the file when the content was replaced. */
    originalName: p.string().length(255).collation('tr_numeric'),
    mimeType: p.string().length(255),
    /** Bytes. */
    size: p.bigint('number'),
    /** SHA-256 of the bytes, hexadecimal. */
    sha256: p.string().length(64),
    objectKey: p.string().length(100).unique('file_versions_object_key_unique'),
    storageType: p.string().$type<StorageType>().length(10),
    uploadedById: () => p.manyToOne(User).mapToPk().nullable().fieldName('uploaded_by_id').deleteRule('set null'),
    /** When this content was uploaded. */
    uploadedAt: p.datetime(),
    /** When this content was replaced. */
    createdAt: p.datetime(),
  },
});
export class FileVersion extends FileVersionSchema.class {}
FileVersionSchema.setClass(FileVersion);
