import { defineEntity, p } from '@mikro-orm/core';

/** Views and downloads of a file. Separate from the file's row, which reading must not rewrite. */
export const FileStatsSchema = defineEntity({
  name: 'FileStats',
  tableName: 'file_stats',
  properties: {
    fileId: p.bigint('number').primary().autoincrement(false),
    views: p.integer().default(0),
    downloads: p.integer().default(0),
  },
});
export class FileStats extends FileStatsSchema.class {}
FileStatsSchema.setClass(FileStats);
