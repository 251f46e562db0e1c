import { defineEntity, p } from '@mikro-orm/core';

/** How often a file was viewed and downloaded; apart from the file's row, which reading must not rewrite. */
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
