import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { UserSchema } from '../../auth/entities/user.entity.js';
import type { ZoneRole } from '../entities/zone-member.entity.js';
import { ZoneMemberSchema } from '../entities/zone-member.entity.js';
import { ZoneSchema, type ZoneType } from '../entities/zone.entity.js';

/** A zone with the viewer's role in it. */
export interface AccessibleZone {
  readonly id: number;
  readonly ownerId: number;
  readonly type: ZoneType;
  readonly role: ZoneRole;
}

/**
 * Determines current membership of zones. Expired memberships, deleted zones and zones of deactivated owners don't
 * count.
 */
@Injectable()
export class ZoneAccessRepository {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** Returns the zone with the viewer's role, or null for non-members, so that ids reveal nothing. */
  async findAccessibleZone(zoneId: number, userId: number): Promise<AccessibleZone | null> {
    const row = await query<typeof ZoneSchema | typeof ZoneMemberSchema | typeof UserSchema>(this.em)
      .selectFrom('zones as z')
      .innerJoin('zone_members as m', 'm.zone_id', 'z.id')
      .innerJoin('users as o', 'o.id', 'z.owner_id')
      .select(['z.id as id', 'z.owner_id as ownerId', 'z.type as type', 'm.role as role'])
      .where('z.id', '=', zoneId)
      .where('m.user_id', '=', userId)
      .where('z.deleted_at', 'is', null)
      .where('o.deactivated_at', 'is', null)
      .where((where) => where.or([where('m.expires_at', 'is', null), where('m.expires_at', '>', this.clock.now())]))
      .executeTakeFirst();
    return row ?? null;
  }
}
