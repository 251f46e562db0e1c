import { defineEntity, p } from '@mikro-orm/core';
import { belongsTo, refersTo } from '../../../platform/database/foreign-key.js';
import { User } from '../../auth/entities/user.entity.js';
import { File } from './file.entity.js';
import { Folder } from './folder.entity.js';

/** A folder that receives files from members, who can do nothing else in it. */
export const FileRequestSchema = defineEntity({
  name: 'FileRequest',
  tableName: 'file_requests',
  indexes: [{ name: 'file_requests_created_by_id_index', properties: ['createdById'] }],
  checks: [
    {
      name: 'file_requests_limits_check',
      expression:
        '(max_files_per_person is null or max_files_per_person >= 1) and (max_file_bytes is null or max_file_bytes >= 1)',
    },
  ],
  properties: {
    folderId: () => belongsTo(Folder, 'file_requests', 'folder_id').primary().updateRule('no action'),
    /** Whether people see only their own files of those that are sent from now on. */
    isPrivate: p.boolean(),
    instructions: p.string().length(2000).nullable(),
    /** Null: no deadline. */
    closesAt: p.datetime().nullable(),
    maxFilesPerPerson: p.integer().nullable(),
    /** Maximum size of one file, in bytes. */
    maxFileBytes: p.bigint('number').nullable(),
    createdById: () => refersTo(User, 'file_requests', 'created_by_id'),
    createdAt: p.datetime(),
  },
});
export class FileRequest extends FileRequestSchema.class {}
FileRequestSchema.setClass(FileRequest);

/**
 * A file that was sent for a file request. It stays private to its sender as it was promised when it was sent, even
 * after the request has changed or ended, until a manager moves the file to another folder.
 */
export const FileSubmissionSchema = defineEntity({
  name: 'FileSubmission',
  tableName: 'file_submissions',
  indexes: [
    { name: 'file_submissions_folder_id_user_id_index', properties: ['folderId', 'userId'] },
    { name: 'file_submissions_user_id_index', properties: ['userId'] },
  ],
  properties: {
    fileId: () => belongsTo(File, 'file_submissions', 'file_id').primary().updateRule('no action'),
    /** The folder of the request, also after the file has been moved. */
    folderId: () => belongsTo(Folder, 'file_submissions', 'folder_id'),
    /** Null if the account was deleted. */
    userId: () => refersTo(User, 'file_submissions', 'user_id'),
    isPrivate: p.boolean(),
  },
});
export class FileSubmission extends FileSubmissionSchema.class {}
FileSubmissionSchema.setClass(FileSubmission);
