import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { query } from '../../../platform/database/query.js';
import { foundBy, type AdminPage } from '../../../platform/http/lists/admin-list.js';
import { adminPage, newestFirst } from '../../../platform/http/lists/admin-page.js';
import type { Viewer } from '../../../platform/http/reading/viewer.js';
import { UserSchema } from '../../auth/entities/user.entity.js';
import { ZoneStatsSchema } from '../../zones/entities/zone-stats.entity.js';
import { ZoneSchema } from '../../zones/entities/zone.entity.js';
import { zoneAbilities } from '../admin.policy.js';
import type { AdminZoneDto } from '../dto/admin-lists.dto.js';
import type { AdminZoneQueryDto } from '../dto/list-query.dto.js';
import { peopleLike } from '../people-search.js';

type Tables = typeof ZoneSchema | typeof ZoneStatsSchema | typeof UserSchema;
type Filters = Pick<AdminZoneQueryDto, 'q' | 'type' | 'ownerId'>;

const byZone = {
  fields: { createdAt: 'z.id', name: sql`z.name collate "tr_numeric"`, ownerEmail: 'u.email' },
  id: 'z.id',
};
const byCounts = { fields: { fileCount: 's.files', memberCount: 's.members', totalBytes: 's.bytes' }, id: 's.zone_id' };

/** Zones of everybody: their names, owners and counts, and nothing of what lies in them. */
@Injectable()
export class AdminZoneListService {
  constructor(private readonly em: EntityManager) {}

  /** One page; `q` finds the zone's name and its owner. */
  page(asked: AdminZoneQueryDto, viewer: Viewer): Promise<AdminPage<AdminZoneDto>> {
    const isCount = Object.hasOwn(byCounts.fields, asked.sort ?? '');
    const sortable = isCount ? this.counts(asked) : this.owned(asked);
    const listing = { matching: this.matching(asked), rows: this.rows({}), shown: (row: Read) => shown(row, viewer) };
    return adminPage(asked, isCount ? byCounts : byZone, { ...listing, sortable: sortable as typeof listing.matching });
  }

  /** All of them, the newest first, read in batches. */
  all(asked: Filters, viewer: Viewer): AsyncGenerator<AdminZoneDto> {
    return newestFirst(this.rows(asked), 'z.id', (row) => shown(row, viewer));
  }

  /** Whether there is such a zone. */
  async exists(id: number): Promise<boolean> {
    const row = await this.matching({}).select('z.id').where('z.id', '=', id).executeTakeFirst();
    return row !== undefined;
  }

  private rows(filters: Filters) {
    return this.matching(filters)
      .innerJoin('users as u', 'u.id', 'z.owner_id')
      .innerJoin('zone_stats as s', 's.zone_id', 'z.id')
      .select(['z.id as id', 'z.name as name', 'z.description as description', 'z.type as type'])
      .select(['s.files as fileCount', 's.members as memberCount', 's.bytes as totalBytes'])
      .select(['z.owner_id as ownerId', 'u.email as ownerEmail', 'z.created_at as createdAt']);
  }

  /** With the owner only where the order needs it. */
  private owned(asked: AdminZoneQueryDto) {
    const zones = this.matching(asked);
    return asked.sort === 'ownerEmail' ? zones.innerJoin('users as u', 'u.id', 'z.owner_id') : zones;
  }

  /**
   * Counts have no index: it would cost every join and upload more than an administrator's sorting is worth (ADR 0002).
   * So their narrow table is read alone; of all zones only the few that are being deleted are looked up.
   */
  private counts(asked: Filters): unknown {
    const counts = query<Tables>(this.em).selectFrom('zone_stats as s');
    if (asked.type || asked.ownerId || asked.q?.trim()) {
      return counts.where('s.zone_id', 'in', this.matching(asked).select('z.id'));
    }
    return counts.where(
      sql<boolean>`not exists (select from zones gone where gone.id = s.zone_id and gone.deleted_at is not null)`,
    );
  }

  private matching({ q, type, ownerId }: Filters) {
    let rows = query<Tables>(this.em).selectFrom('zones as z').where('z.deleted_at', 'is', null);
    if (type) rows = rows.where('z.type', '=', type);
    if (ownerId) rows = rows.where('z.owner_id', '=', ownerId);
    if (!q?.trim()) return rows;
    const pattern = foundBy(q);
    // Two indexes, one for each table: a union finds by both, where an `or` would read every zone.
    return rows.where(
      sql<boolean>`z.id in (
        select named.id from zones named where search_fold(named.name) like ${pattern}
        union select owned.id from zones owned where owned.owner_id in ${peopleLike(q)})`,
    );
  }
}

type Read = Omit<AdminZoneDto, 'isPublic' | 'can'>;

const shown = (row: Read, viewer: Viewer): AdminZoneDto => ({
  ...row,
  totalBytes: Number(row.totalBytes),
  isPublic: row.type === 'public',
  can: zoneAbilities(viewer),
});
