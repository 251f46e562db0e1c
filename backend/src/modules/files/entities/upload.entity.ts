import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../../auth/entities/user.entity.js';
import { Zone } from '../../zones/entities/zone.entity.js';
import { File } from './file.entity.js';
import { Folder } from './folder.entity.js';

/**
 * A storage reservation for an upload, written before its object, so that aborted uploads can be found. Completion and
 * clean-up both delete the row in their transaction; the one that commits first takes effect.
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
    /** The user whose plan holds the reservation. */
    ownerId: () => p.manyToOne(User).mapToPk().fieldName('owner_id').deleteRule('cascade'),
    /** Bytes reserved in the owner's usage for this upload. */
    reserved: p.bigint('number').default(0),
    /** Extended while data arrives. Once it has passed, the upload counts as abandoned. */
    leaseUntil: p.datetime(),
    createdAt: p.datetime(),
  },
});
export class Upload extends UploadSchema.class {}
UploadSchema.setClass(Upload);

/**
 * Bytes of an unfinished upload to a bucket that are stored in an object of their own: those that don't fill a part of
 * the multipart upload yet, or those of a multipart upload that was replaced. The row is written before the object.
 */
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
    uploadId: () => p.manyToOne(Upload).mapToPk().fieldName('upload_id').deleteRule('cascade'),
    objectKey: p.string().length(100).unique('upload_parts_object_key_unique'),
    /** Offset in the file, in bytes. */
    start: p.bigint('number'),
    /** Bytes; null until the object is stored. */
    size: p.bigint('number').nullable(),
  },
});
export class UploadPart extends UploadPartSchema.class {}
UploadPartSchema.setClass(UploadPart);

/** The bucket's multipart upload that receives a resumable upload. Belongs to one generation of its writers. */
export const UploadMultipartSchema = defineEntity({
  name: 'UploadMultipart',
  tableName: 'upload_multiparts',
  checks: [{ name: 'upload_multiparts_sha256_check', expression: 'sha256 is null or (is_direct and is_completing)' }],
  properties: {
    uploadId: () => p.manyToOne(Upload).mapToPk().primary().fieldName('upload_id').deleteRule('cascade'),
    /** Key of the object that it becomes. */
    objectKey: p.string().length(100).unique('upload_multiparts_object_key_unique'),
    /** The bucket's id of it. */
    remoteId: p.text(),
    generation: p.integer(),
    /** Size in bytes of each part but the last. */
    partBytes: p.bigint('number'),
    /** True from the moment before it is completed: it may no longer accept parts. */
    isCompleting: p.boolean().default(false),
    /** The browser sends the parts to the bucket itself, in any order. Nothing counts as received until the end. */
    isDirect: p.boolean().default(false),
    /** Of the whole object, once the server has read it; only if `isDirect`. In lower-case hex. */
    sha256: p.string().length(64).nullable(),
  },
});
export class UploadMultipart extends UploadMultipartSchema.class {}
UploadMultipartSchema.setClass(UploadMultipart);

/** A stored part of a multipart upload. */
export const UploadMultipartPartSchema = defineEntity({
  name: 'UploadMultipartPart',
  tableName: 'upload_multipart_parts',
  properties: {
    uploadId: () => p.manyToOne(UploadMultipart).mapToPk().primary().fieldName('upload_id').deleteRule('cascade'),
    /** Starts at 1. */
    number: p.integer().primary(),
    etag: p.string().length(200),
  },
});
export class UploadMultipartPart extends UploadMultipartPartSchema.class {}
UploadMultipartPartSchema.setClass(UploadMultipartPart);

/**
 * Lock that one request holds on a resumable upload. It expires unless renewed, so that a dead process does not keep
 * it.
 */
export const UploadLockSchema = defineEntity({
  name: 'UploadLock',
  tableName: 'upload_locks',
  properties: {
    /** Id of the upload, which may not have a row yet. */
    id: p.uuid().primary(),
    /** Token of the lock's holder. */
    token: p.uuid(),
    /** In database time, which all processes share. */
    heldUntil: p.datetime(),
    /** True if another request waits for the lock. */
    wanted: p.boolean().default(false),
  },
});
export class UploadLock extends UploadLockSchema.class {}
UploadLockSchema.setClass(UploadLock);

/**
 * A resumable upload. While it is in progress, `uploadId` references its reservation. After completion, `fileId`
 * references the file for a while, so that a client that missed the last response can still learn the result. All bytes
 * have been received if and only if `fileId` is set.
 */
export const ResumableUploadSchema = defineEntity({
  name: 'ResumableUpload',
  tableName: 'resumable_uploads',
  indexes: [
    { name: 'resumable_uploads_user_id_created_at_id_index', properties: ['userId', 'createdAt', 'id'] },
    { name: 'resumable_uploads_zone_id_index', properties: ['zoneId'] },
    { name: 'resumable_uploads_folder_id_index', properties: ['folderId'] },
    { name: 'resumable_uploads_file_id_index', properties: ['fileId'] },
    { name: 'resumable_uploads_expires_at_index', properties: ['expiresAt'] },
  ],
  checks: [
    { name: 'resumable_uploads_received_check', expression: 'received >= 0 and received <= length' },
    {
      name: 'resumable_uploads_on_conflict_check',
      expression: "on_conflict in ('refuse', 'rename', 'replace')",
    },
  ],
  properties: {
    /** Random. Part of the upload's URL, which works only in a session of its user. */
    id: p.uuid().primary(),
    /** Null once the upload has become a file. */
    uploadId: () =>
      p
        .manyToOne(Upload)
        .mapToPk()
        .nullable()
        .fieldName('upload_id')
        .unique('resumable_uploads_upload_id_unique')
        .deleteRule('cascade'),
    /** The user who uploads; no other user can see the upload. */
    userId: () => p.manyToOne(User).mapToPk().fieldName('user_id').deleteRule('cascade'),
    zoneId: () => p.manyToOne(Zone).mapToPk().fieldName('zone_id').deleteRule('cascade'),
    folderId: () => p.manyToOne(Folder).mapToPk().nullable().fieldName('folder_id').deleteRule('cascade'),
    name: p.string().length(255),
    /** If the name is taken, appends a number when true; rejects the upload when false. */
    /** See `NameConflictRule`. */
    onConflict: p.string().length(10).$type<'refuse' | 'rename' | 'replace'>().default('refuse'),
    /** Total size in bytes, as announced by the client. */
    length: p.bigint('number'),
    /** Bytes stored so far. */
    received: p.bigint('number').default(0),
    /** Raised when a request takes over from one that may still be writing, which can then no longer change the upload. */
    generation: p.integer().default(0),
    /** True while a request writes; remains true if its process dies. */
    isWriting: p.boolean().default(false),
    fileId: () => p.manyToOne(File).mapToPk().nullable().fieldName('file_id').deleteRule('cascade'),
    /**
     * The file whose content the upload replaces; null if it creates a file. Without a foreign key, because the row is
     * locked before files.
     */
    replacesId: p.bigint('number').nullable(),
    /** Version that the file must still have when it is replaced; null: any. */
    ifVersion: p.integer().nullable(),
    expiresAt: p.datetime(),
    createdAt: p.datetime(),
  },
});
export class ResumableUpload extends ResumableUploadSchema.class {}
ResumableUploadSchema.setClass(ResumableUpload);
