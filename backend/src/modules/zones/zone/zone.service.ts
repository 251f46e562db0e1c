import { LockMode } from '@mikro-orm/core';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { AuditService } from '../../../platform/audit/audit.service.js';
import { Clock, MINUTE } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { EventBus } from '../../../platform/events/event-bus.js';
import { ActivityService } from '../../activity/activity.service.js';
import { newToken } from '../../../platform/security/secrets.js';
import { UserRepository } from '../../auth/users/user.repository.js';
import { UsageService } from '../../plans/usage.service.js';
import type { CreateZoneDto, UpdateZoneDto, ZoneDto } from '../dto/zone.dto.js';
import { ZoneMemberSchema } from '../entities/zone-member.entity.js';
import { ZoneStats } from '../entities/zone-stats.entity.js';
import { Zone, ZoneSchema } from '../entities/zone.entity.js';
import { MembershipService } from '../joining/membership.service.js';
import { zoneErrors } from '../zones.errors.js';
import { ZoneListService } from './zone-list.service.js';

/** Creates and updates zones. */
@Injectable()
export class ZoneService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly users: UserRepository,
    private readonly usage: UsageService,
    private readonly membership: MembershipService,
    private readonly activity: ActivityService,
    private readonly zones: ZoneListService,
    private readonly events: EventBus,
    private readonly audit: AuditService,
  ) {}

  /**
   * Creates a zone. The plan's limit also holds for concurrent requests. A public zone gets a permanent link.
   * @throws PLAN_LIMIT
   */
  async create(ownerId: number, dto: CreateZoneDto): Promise<ZoneDto> {
    const id = await inTransaction(this.em, async (em) => {
      const zone = em.create(Zone, this.newZoneFields(ownerId, dto));
      await em.flush();
      em.create(ZoneStats, { zoneId: zone.id });
      await em.flush();
      await this.membership.addOwner(em, zone.id, await this.users.getManagedUser(ownerId));
      await this.activity.record(em, {
        type: 'zone.created',
        ownerId,
        zoneId: zone.id,
        userId: ownerId,
        params: { zoneName: zone.name },
      });
      await this.usage.addUsage(em, ownerId, 'zones', 1);
      return zone.id;
    });
    return this.zones.findOne(id, ownerId);
  }

  /**
   * Updates a zone. A zone that becomes public gets a permanent link. One that becomes private loses it, and the
   * options of public zones are reset to their defaults.
   * @throws ZONE_CHANGED if the given `version` is outdated
   */
  async update(zoneId: number, viewerId: number, dto: UpdateZoneDto): Promise<ZoneDto> {
    await inTransaction(this.em, async (em) => {
      const zone = await em.findOneOrFail(Zone, { id: zoneId }, { lockMode: LockMode.PESSIMISTIC_WRITE });
      if (dto.version !== undefined && dto.version !== zone.version) throw zoneErrors.ZONE_CHANGED();
      const type = dto.type ?? zone.type;
      const typeBefore = zone.type;
      const before = versionedFields(zone);
      const isPublic = type === 'public';
      em.assign(zone, {
        name: dto.name ?? zone.name,
        description: dto.description ?? zone.description,
        type,
        autoJoin: isPublic ? (dto.autoJoin ?? zone.autoJoin) : true,
        requiresEmailOptin: isPublic ? (dto.requiresEmailOptin ?? zone.requiresEmailOptin) : true,
        showFiles: dto.showFiles ?? zone.showFiles,
        publicLink: isPublic ? (zone.publicLink ?? newPublicLink()) : null,
        updatedAt: this.clock.now(),
      });
      if (versionedFields(zone) !== before) zone.version += 1;
      await em.flush();
      if (type !== typeBefore) await this.events.emit(em, 'zone.typeChanged', { zoneId, type, actorId: viewerId });
    });
    return this.zones.findOne(zoneId, viewerId);
  }

  /**
   * Replaces the permanent link of a public zone; the old one stops working.
   * @returns false if the zone is private
   */
  renewPublicLink(zoneId: number, actorId: number): Promise<boolean> {
    return inTransaction(this.em, async (em) => {
      const renewed = await query<typeof ZoneSchema>(em)
        .updateTable('zones')
        .set({ public_link: newPublicLink(), updated_at: this.clock.now() })
        .where('id', '=', zoneId)
        .where('type', '=', 'public')
        .executeTakeFirst();
      if (renewed.numUpdatedRows === 0n) return false;
      await this.audit.record(em, { type: 'public-link.renewed', actorId, params: { zoneId } });
      return true;
    });
  }

  /**
   * Toggles the viewer's favourite flag.
   * @returns the new value
   */
  async toggleFavorite(zoneId: number, viewerId: number): Promise<boolean> {
    const { isFavorite } = await query<typeof ZoneMemberSchema>(this.em)
      .updateTable('zone_members')
      .set({ is_favorite: sql<boolean>`not is_favorite` })
      .where('zone_id', '=', zoneId)
      .where('user_id', '=', viewerId)
      .returning('is_favorite as isFavorite')
      .executeTakeFirstOrThrow();
    return isFavorite;
  }

  /** Records the person's visit, at most once a minute to limit writes. */
  async recordVisit(zoneId: number, viewerId: number): Promise<void> {
    const now = this.clock.now();
    await query<typeof ZoneMemberSchema>(this.em)
      .updateTable('zone_members')
      .set({ visited_at: now })
      .where('zone_id', '=', zoneId)
      .where('user_id', '=', viewerId)
      .where((on) => on.or([on('visited_at', 'is', null), on('visited_at', '<=', new Date(now.getTime() - MINUTE))]))
      .execute();
  }

  private newZoneFields(ownerId: number, dto: CreateZoneDto) {
    const isPublic = dto.type === 'public';
    const now = this.clock.now();
    return {
      name: dto.name,
      description: dto.description ?? '',
      ownerId,
      type: dto.type,
      autoJoin: isPublic ? (dto.autoJoin ?? true) : true,
      requiresEmailOptin: isPublic ? (dto.requiresEmailOptin ?? true) : true,
      // If the owner decides about each person, the link alone must not reveal file names.
      showFiles: dto.showFiles ?? !(isPublic && dto.autoJoin === false),
      publicLink: isPublic ? newPublicLink() : null,
      createdAt: now,
      updatedAt: now,
    };
  }
}

/** Serialises the fields whose changes increment the version. */
function versionedFields({ name, description, type, autoJoin, requiresEmailOptin, showFiles }: Zone): string {
  return JSON.stringify([name, description, type, autoJoin, requiresEmailOptin, showFiles]);
}

/** Generates the token of a permanent link: 132 bits. */
function newPublicLink(): string {
  return newToken().slice(0, 22);
}
