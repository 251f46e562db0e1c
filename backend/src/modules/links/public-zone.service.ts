import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { query } from '../../platform/database/query.js';
import { UserSchema } from '../auth/entities/user.entity.js';
import { ZoneStatsSchema } from '../zones/entities/zone-stats.entity.js';
import { ZoneSchema } from '../zones/entities/zone.entity.js';
import { linkErrors } from './links.errors.js';

type Tables = typeof ZoneSchema | typeof ZoneStatsSchema | typeof UserSchema;

/** Public zones as their permanent link shows them to anybody. */
@Injectable()
export class PublicZoneService {
  constructor(private readonly em: EntityManager) {}

  /**
   * The zone behind a public link, while it is public, there, and its owner active.
   * @throws LINK_NOT_FOUND
   */
  async find(publicLink: string) {
    const row = await query<Tables>(this.em)
      .selectFrom('zones as z')
      .innerJoin('zone_stats as s', 's.zone_id', 'z.id')
      .innerJoin('users as o', 'o.id', 'z.owner_id')
      .select(['z.id as id', 'z.owner_id as ownerId', 'z.name as name', 'z.description as description'])
      .select([
        'z.public_link as publicLink',
        'z.auto_join as autoJoin',
        'z.requires_email_optin as requiresEmailOptin',
      ])
      .select(['s.files as fileCount', 's.members as memberCount'])
      .select(['o.first_name as ownerFirstName', 'o.last_name as ownerLastName', 'o.language as ownerLanguage'])
      .where('z.public_link', '=', publicLink)
      .where('z.type', '=', 'public')
      .where('z.deleted_at', 'is', null)
      .where('z.is_active', '=', true)
      .where('o.deactivated_at', 'is', null)
      .executeTakeFirst();
    if (!row) throw linkErrors.LINK_NOT_FOUND();
    return row;
  }
}
