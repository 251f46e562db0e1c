import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../../auth/entities/user.entity.js';

export type ZoneType = 'private' | 'public';

/** A space in which an owner shares files with members. Its counters are in `zone_stats`. */
export const ZoneSchema = defineEntity({
  name: 'Zone',
  tableName: 'zones',
  indexes: [
    { name: 'zones_owner_id_index', properties: ['ownerId'] },
    {
      name: 'zones_search_index',
      expression: `create index "zones_search_index" on "zones" using gin (search_fold("name") gin_trgm_ops)`,
    },
    {
      name: 'zones_name_index',
      expression: `create index "zones_name_index" on "zones" (("name" collate "tr_numeric"), "id") where deleted_at is null`,
    },
    { name: 'zones_present_index', properties: ['id'], where: 'deleted_at is null' },
    { name: 'zones_deleted_index', properties: ['id'], where: 'deleted_at is not null' },
  ],
  checks: [
    { name: 'zones_public_link_check', expression: `(type = 'public') = (public_link is not null)` },
    { name: 'zones_versions_kept_check', expression: 'versions_kept >= 0 and versions_kept <= 100' },
    { name: 'zones_versions_days_check', expression: 'versions_days >= 1 and versions_days <= 3650' },
  ],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    name: p.string().length(255),
    description: p.text().default(''),
    ownerId: () => p.manyToOne(User).mapToPk().fieldName('owner_id').foreignKeyName('zones_owner_id_foreign'),
    type: p.string().$type<ZoneType>().length(10).default('private'),
    isActive: p.boolean().default(true),
    autoJoin: p.boolean().default(true),
    requiresEmailOptin: p.boolean().default(true),
    /** Join pages show the names of the zone's first files. */
    showFiles: p.boolean().default(true),
    /** How many earlier versions of a file are kept. */
    versionsKept: p.smallint().default(10),
    /** For how many days after its replacement a version is kept; null: without limit. */
    versionsDays: p.smallint().nullable(),
    /** Whether openings of files by members and guests, and what members read, are recorded. */
    recordsReading: p.boolean().default(true),
    /** Token of a public zone's permanent link; stored in plain text, because owners copy it repeatedly. */
    publicLink: p.string().length(64).nullable().unique('zones_public_link_unique'),
    /** Incremented with every change of the settings. */
    version: p.integer().default(1),
    /** Set when the owner deletes the zone; a job then deletes its files and the row. */
    deletedAt: p.datetime().nullable(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});
export class Zone extends ZoneSchema.class {}
ZoneSchema.setClass(Zone);
