import { defineEntity, p } from '@mikro-orm/core';
import type { StorageType } from '../../../platform/storage/storage.js';
import { User } from '../../auth/entities/user.entity.js';
import { Zone } from '../../zones/entities/zone.entity.js';
import { Folder } from './folder.entity.js';

/** Index for folder listings: zone and folder first, then the sort keys, excluding the trash. */
const listIndex = (by: string, columns: string, include = '') => ({
  name: `files_zone_id_folder_id_${by}_index`,
  expression: `create index "files_zone_id_folder_id_${by}_index" on "files" ("zone_id", coalesce("folder_id", 0), ${columns})${include} where "trashed_at" is null`,
});

/** A file of a zone with its current content; a null `folderId` means the zone's root. Views and downloads are counted in `file_stats`. */
export const FileSchema = defineEntity({
  name: 'File',
  tableName: 'files',
  indexes: [
    {
      // Includes the ids, so that a name search across a whole zone is an index-only scan.
      name: 'files_zone_id_folder_id_name_key_unique',
      expression:
        'create unique index "files_zone_id_folder_id_name_key_unique" on "files" ("zone_id", coalesce("folder_id", 0), "name_key") include ("id", "folder_id", "search_key") where "trashed_at" is null',
    },
    {
      name: 'files_search_key_trigram_index',
      expression:
        'create index "files_search_key_trigram_index" on "files" using gin ("search_key" gin_trgm_ops) where "trashed_at" is null',
    },
    listIndex('name', '"original_name", "id"'),
    // Includes the plain column besides the expression on it, so that counting files is an index-only scan.
    listIndex('date', '"created_at", "id"', ' include ("folder_id")'),
    listIndex('type', '"mime_type", "original_name", "id"'),
    listIndex('size', '"size", "id"'),
    {
      name: 'files_zone_id_created_at_id_index',
      expression:
        'create index "files_zone_id_created_at_id_index" on "files" ("zone_id", "created_at", "id") where "trashed_at" is null',
    },
    { name: 'files_folder_id_index', properties: ['folderId'] },
    { name: 'files_zone_id_index', properties: ['zoneId'] },
    { name: 'files_uploaded_by_id_index', properties: ['uploadedById'] },
    { name: 'files_trash_id_index', properties: ['trashId'], where: 'trash_id is not null' },
    {
      name: 'files_upload_key_index',
      properties: ['uploadedById', 'uploadKey'],
      where: 'upload_key is not null',
    },
  ],
  checks: [
    { name: 'files_trash_check', expression: '(trashed_at is null) = (trash_id is null)' },
    { name: 'files_size_check', expression: 'size >= 0' },
    { name: 'files_version_check', expression: '(version = 1) = (replaced_at is null)' },
  ],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    originalName: p.string().length(255).collation('tr_numeric'),
    /** The name normalised by `normaliseForComparison`; unique within the folder, excluding the trash. */
    nameKey: p.text(),
    /** The name without accents for searching, truncated so that it fits into an index beside the name. */
    searchKey: p.text().nullable().generated('("left"(search_fold(name_key), 300)) stored'),
    /** Detected from the bytes, never taken from the client. */
    mimeType: p.string().length(255),
    /** Bytes. */
    size: p.bigint('number'),
    /** SHA-256 of the bytes, hexadecimal. */
    sha256: p.string().length(64),
    objectKey: p.string().length(100).unique('files_object_key_unique'),
    storageType: p.string().$type<StorageType>().length(10),
    zoneId: () => p.manyToOne(Zone).mapToPk().fieldName('zone_id').deleteRule('cascade'),
    /** A folder can't be deleted before its files, because their rows reference the objects to delete. */
    folderId: () => p.manyToOne(Folder).mapToPk().nullable().fieldName('folder_id').deleteRule('no action'),
    /** Who uploaded the current content. */
    uploadedById: () => p.manyToOne(User).mapToPk().nullable().fieldName('uploaded_by_id').deleteRule('set null'),
    /** Key of the upload request that created the file, if the client sent one. */
    uploadKey: p.uuid().nullable(),
    allowDownload: p.boolean().default(true),
    /** Members may select, copy and search the text of the pages, even when they may not download the file. */
    allowText: p.boolean().default(true),
    /** Number of the current content, from 1. Earlier contents are in `file_versions`. */
    version: p.integer().default(1),
    /** When the content was last replaced; null if never. */
    replacedAt: p.datetime().nullable(),
    trashedAt: p.datetime().nullable(),
    /** Shared by everything that one deletion moved to the trash. */
    trashId: p.uuid().nullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});
export class File extends FileSchema.class {}
FileSchema.setClass(File);

/** The thumbnail of a file, once it exists. Its object is deleted with the file's object. */
export const FileThumbnailSchema = defineEntity({
  name: 'FileThumbnail',
  tableName: 'file_thumbnails',
  properties: {
    file: () => p.manyToOne(File).mapToPk().primary().fieldName('file_id').deleteRule('cascade'),
    objectKey: p.string().length(100).unique('file_thumbnails_object_key_unique'),
    /** Bytes. */
    size: p.integer(),
  },
});
export class FileThumbnail extends FileThumbnailSchema.class {}
FileThumbnailSchema.setClass(FileThumbnail);
