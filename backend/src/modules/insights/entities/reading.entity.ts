import { defineEntity, p } from '@mikro-orm/core';
import { belongsTo } from '../../../platform/database/foreign-key.js';
import { User } from '../../auth/entities/user.entity.js';
import { File } from '../../files/entities/file.entity.js';

/**
 * One page read in one batch, kept for RETENTION_READING. The table is partitioned by month on `createdAt`, so that
 * column is part of the key. No foreign keys: PostgreSQL would check them for each row.
 */
export const PageReadSchema = defineEntity({
  name: 'PageRead',
  tableName: 'page_reads',
  indexes: [
    { name: 'page_reads_file_id_created_at_index', properties: ['fileId', 'createdAt'] },
    { name: 'page_reads_user_id_created_at_index', properties: ['userId', 'createdAt', 'id'] },
    { name: 'page_reads_created_at_index', properties: ['createdAt'], type: 'brin' },
  ],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    /** When the batch was received. */
    createdAt: p.datetime().primary(),
    fileId: p.bigint('number'),
    /** Number of the content that was read. */
    version: p.integer(),
    userId: p.bigint('number'),
    page: p.integer(),
    /** Credited time in milliseconds. */
    ms: p.integer(),
    /** True if the user had not read the page before. */
    isFirst: p.boolean(),
  },
});
export class PageRead extends PageReadSchema.class {}
PageReadSchema.setClass(PageRead);

/** How far a user has read one content of a file. Deleted together with the user or the file. */
export const FileReaderSchema = defineEntity({
  name: 'FileReader',
  tableName: 'file_readers',
  indexes: [
    { name: 'file_readers_file_id_version_last_at_index', properties: ['fileId', 'version', 'lastAt', 'userId'] },
    { name: 'file_readers_user_id_index', properties: ['userId'] },
  ],
  properties: {
    fileId: () => belongsTo(File, 'file_readers', 'file_id').primary().updateRule('no action'),
    version: p.integer().primary(),
    userId: () => belongsTo(User, 'file_readers', 'user_id').primary().updateRule('no action'),
    /** The zone through which the user first read the file; no foreign key, because that zone may mirror the file. */
    zoneId: p.bigint('number'),
    firstAt: p.datetime(),
    lastAt: p.datetime(),
    /** Credited time in milliseconds. */
    ms: p.bigint('number'),
    /** The pages read, one bit each; see `reading.policy.ts`. */
    pages: p.blob(),
    /** The number of bits that are set. */
    pagesRead: p.integer(),
    /** The page that was read last. */
    lastPage: p.integer(),
  },
});
export class FileReader extends FileReaderSchema.class {}
FileReaderSchema.setClass(FileReader);

/**
 * The latest batches of a user. The row is locked while a batch is recorded, so that the time since the last one is
 * credited once, however many devices and tabs send batches.
 */
export const ReaderBatchesSchema = defineEntity({
  name: 'ReaderBatches',
  tableName: 'reader_batches',
  properties: {
    userId: () => belongsTo(User, 'reader_batches', 'user_id').primary().updateRule('no action'),
    /** When the last batch was received; null while the first one is recorded. */
    lastAt: p.datetime().nullable(),
    /** Ids of the latest batches, oldest first. */
    recentIds: p.array().columnType('uuid[]'),
  },
});
export class ReaderBatches extends ReaderBatchesSchema.class {}
ReaderBatchesSchema.setClass(ReaderBatches);

/** Reading of a file by day (UTC), rolled up from `page_reads`. */
export const FileReadingDaySchema = defineEntity({
  name: 'FileReadingDay',
  tableName: 'file_reading_day',
  properties: {
    fileId: () => belongsTo(File, 'file_reading_day', 'file_id').primary().updateRule('no action'),
    day: p.date().primary(),
    /** Different users. */
    readers: p.integer(),
    ms: p.bigint('number'),
  },
});
export class FileReadingDay extends FileReadingDaySchema.class {}
FileReadingDaySchema.setClass(FileReadingDay);

/** Reading of a page of one content of a file by day (UTC), rolled up from `page_reads`. */
export const FilePageDaySchema = defineEntity({
  name: 'FilePageDay',
  tableName: 'file_page_day',
  properties: {
    fileId: () => belongsTo(File, 'file_page_day', 'file_id').primary().updateRule('no action'),
    version: p.integer().primary(),
    page: p.integer().primary(),
    day: p.date().primary(),
    /** Users who read the page for the first time, so the sum of all days is the number of its readers. */
    readers: p.integer(),
    ms: p.bigint('number'),
  },
});
export class FilePageDay extends FilePageDaySchema.class {}
FilePageDaySchema.setClass(FilePageDay);
