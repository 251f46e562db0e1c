import { defineEntity, p } from '@mikro-orm/core';

/** Result of the last comparison of stored objects with database rows. */
export interface StorageComparison {
  /** ISO 8601. */
  readonly at: string;
  /** Number of objects in the storage. */
  readonly objects: number;
  /** Number of orphans: objects that no row references. */
  readonly strays: number;
  /** Number of orphans moved into quarantine. */
  readonly moved: number;
  /** Number of files whose object is missing. */
  readonly missing: number;
  /** True when there were too many orphans, so that nothing was moved. */
  readonly stopped: boolean;
}

/**
 * The installation itself: a single row, created with the schema. Backups don't include it, because a restored copy is
 * an installation of its own.
 */
export const InstallationSchema = defineEntity({
  name: 'Installation',
  tableName: 'installation',
  checks: [{ name: 'installation_only_check', property: 'only', expression: '"only"' }],
  properties: {
    id: p.string().length(36).primary(),
    /** Always true, and unique, so that there is only one row. */
    only: p.boolean().default(true).unique(),
    /** The newest product version that changed the schema. */
    version: p.string().length(40).nullable(),
    /** Fingerprint of the secret that the processes use. */
    secretFingerprint: p.string().length(64).nullable(),
    /** When the storage got this installation's mark; null before the first use. */
    storageMarkedAt: p.datetime().nullable(),
    /** Number of renewals of the mark: an older copy of this database has a smaller one. */
    storageTurn: p.integer().default(0),
    /**
     * The last heartbeat tokens of the mark, newest first; copies of this database that were made earlier don't have
     * them.
     */
    storageWords: p.array().columnType('text[]').nullable(),
    storageWordAt: p.datetime().nullable(),
    lastComparison: p.json<StorageComparison>().nullable(),
  },
});
export class Installation extends InstallationSchema.class {}
InstallationSchema.setClass(Installation);
