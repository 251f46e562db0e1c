import { defineEntity, p } from '@mikro-orm/core';

/** How the last comparison of objects and rows went. */
export interface StorageComparison {
  /** ISO 8601. */
  readonly at: string;
  /** Objects that are there. */
  readonly objects: number;
  /** Of these, those that nothing names. */
  readonly strays: number;
  /** Moved into quarantine by it. */
  readonly moved: number;
  /** Files whose object is missing. */
  readonly missing: number;
  /** Too much would have gone: nothing was moved. */
  readonly stopped: boolean;
}

/** This installation itself: one row, made with the schema. It is no part of a backup: what is restored is an installation of its own. */
export const InstallationSchema = defineEntity({
  name: 'Installation',
  tableName: 'installation',
  checks: [{ name: 'installation_only_check', property: 'only', expression: '"only"' }],
  properties: {
    id: p.string().length(36).primary(),
    /** Always true, and unique: there is one row. */
    only: p.boolean().default(true).unique(),
    /** The newest version of the product that changed the schema. */
    version: p.string().length(40).nullable(),
    /** Of the secret that its processes are given. */
    secretFingerprint: p.string().length(64).nullable(),
    /** Since when the storage carries the mark of this installation; null before its first use. */
    storageMarkedAt: p.datetime().nullable(),
    /** Counts how often the mark was renewed: an older copy of this database has a smaller one. */
    storageTurn: p.integer().default(0),
    /** What the mark was given last as a sign of life, the newest first: words that copies of this database made before do not have. */
    storageWords: p.array().columnType('text[]').nullable(),
    storageWordAt: p.datetime().nullable(),
    lastComparison: p.json<StorageComparison>().nullable(),
  },
});
export class Installation extends InstallationSchema.class {}
InstallationSchema.setClass(Installation);
