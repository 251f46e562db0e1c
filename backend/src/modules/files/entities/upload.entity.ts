import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../../auth/entities/user.entity.js';
import { Zone } from '../../zones/entities/zone.entity.js';
import { File } from './file.entity.js';
import { Folder } from './folder.entity.js';

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
    ownerId: () => p.manyToOne(User).mapToPk().fieldName('owner_id').deleteRule('cascade'),
    /** Bytes held in the owner's usage for this upload. */
    reserved: p.bigint('number').default(0),
    /** Extended while bytes come; after it the upload is taken for dead. */
    leaseUntil: p.datetime(),
    createdAt: p.datetime(),
  },
});
export class Upload extends UploadSchema.class {}
UploadSchema.setClass(Upload);

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
    uploadId: () => p.manyToOne(Upload).mapToPk().fieldName('upload_id').deleteRule('cascade'),
    objectKey: p.string().length(100).unique('upload_parts_object_key_unique'),
    /** Where in the file it begins, in bytes. */
    start: p.bigint('number'),
    /** Bytes; null until its object is stored. */
    size: p.bigint('number').nullable(),
  },
});
export class UploadPart extends UploadPartSchema.class {}
UploadPartSchema.setClass(UploadPart);

/** Which request works on a resumable upload. It holds only while it is renewed, so that a dead process holds nothing. */
export const UploadLockSchema = defineEntity({
  name: 'UploadLock',
  tableName: 'upload_locks',
  properties: {
    /** The id of the upload, which may not have a row yet. */
    id: p.uuid().primary(),
    /** The holder's. */
    token: p.uuid(),
    /** By the clock of the database, which is one for all processes. */
    heldUntil: p.datetime(),
    /** Another request waits for it. */
    wanted: p.boolean().default(false),
  },
});
export class UploadLock extends UploadLockSchema.class {}
UploadLockSchema.setClass(UploadLock);

/**
 * An upload that can be resumed, while it is under way (`uploadId` names its reservation) and for a while after it has
 * become a file (`fileId`), so that a client whose last answer was lost still learns of it. All bytes have been
 * received if and only if there is a file.
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
  checks: [{ name: 'resumable_uploads_received_check', expression: 'received >= 0 and received <= length' }],
  properties: {
    /** Random; with the session it is all that an upload is addressed by. */
    id: p.uuid().primary(),
    /** null once it is a file. */
    uploadId: () =>
      p
        .manyToOne(Upload)
        .mapToPk()
        .nullable()
        .fieldName('upload_id')
        .unique('resumable_uploads_upload_id_unique')
        .deleteRule('cascade'),
    /** Who uploads; nobody else sees it. */
    userId: () => p.manyToOne(User).mapToPk().fieldName('user_id').deleteRule('cascade'),
    zoneId: () => p.manyToOne(Zone).mapToPk().fieldName('zone_id').deleteRule('cascade'),
    folderId: () => p.manyToOne(Folder).mapToPk().nullable().fieldName('folder_id').deleteRule('cascade'),
    name: p.string().length(255),
    /** Takes a number when its name is taken; otherwise a clash refuses it. */
    rename: p.boolean(),
    /** Bytes, as announced. */
    length: p.bigint('number'),
    /** Bytes that are stored. */
    received: p.bigint('number').default(0),
    fileId: () => p.manyToOne(File).mapToPk().nullable().fieldName('file_id').deleteRule('cascade'),
    expiresAt: p.datetime(),
    createdAt: p.datetime(),
  },
});
export class ResumableUpload extends ResumableUploadSchema.class {}
ResumableUploadSchema.setClass(ResumableUpload);
