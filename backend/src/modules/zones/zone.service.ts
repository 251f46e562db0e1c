import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { ActivityService } from '../activity/activity.service.js';
import { newToken } from '../../platform/security/secrets.js';
import { UserService } from '../auth/user.service.js';
import { UsageService } from '../plans/usage.service.js';
import type { CreateZoneDto, ZoneDto } from './dto/zone.dto.js';
import { ZoneStats } from './entities/zone-stats.entity.js';
import { Zone } from './entities/zone.entity.js';
import { MembershipService } from './membership.service.js';
import { ZoneListService } from './zone-list.service.js';

/** Making and changing zones. */
@Injectable()
export class ZoneService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly users: UserService,
    private readonly usage: UsageService,
    private readonly members: MembershipService,
    private readonly activity: ActivityService,
    private readonly zones: ZoneListService,
  ) {}

  /**
   * Makes a zone; the plan's limit holds under parallel requests. A public zone gets its permanent link.
   * @throws PLAN_LIMIT
   */
  async create(ownerId: number, dto: CreateZoneDto): Promise<ZoneDto> {
    const id = await inTransaction(this.em, async (em) => {
      const zone = em.create(Zone, this.fields(ownerId, dto));
      await em.flush();
      em.create(ZoneStats, { zoneId: zone.id });
      await em.flush();
      await this.members.admitOwner(em, zone.id, await this.users.findById(ownerId));
      await this.activity.record(em, {
        type: 'zone.created',
        ownerId,
        zoneId: zone.id,
        userId: ownerId,
        params: { zoneName: zone.name },
      });
      await this.usage.take(em, ownerId, 'zones', 1);
      return zone.id;
    });
    return this.zones.one(id, ownerId);
  }

  private fields(ownerId: number, dto: CreateZoneDto) {
    const isPublic = dto.type === 'public';
    const now = this.clock.now();
    return {
      name: dto.name,
      description: dto.description ?? '',
      ownerId,
      type: dto.type,
      autoJoin: isPublic ? (dto.autoJoin ?? true) : true,
      requiresEmailOptin: isPublic ? (dto.requiresEmailOptin ?? true) : true,
      publicLink: isPublic ? newToken().slice(0, 22) : null,
      createdAt: now,
      updatedAt: now,
    };
  }
}
