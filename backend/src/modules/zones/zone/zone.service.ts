import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditRepository } from '../../../platform/audit/audit.repository.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { EventBus } from '../../../platform/events/event-bus.js';
import { ActivityService } from '../../activity/activity.service.js';
import { newToken } from '../../../platform/security/secrets.js';
import { UserRepository } from '../../auth/users/user.repository.js';
import { UsageService } from '../../plans/usage.service.js';
import type { CreateZoneDto, UpdateZoneDto, ZoneDto } from '../dto/zone.dto.js';
import type { Zone } from '../entities/zone.entity.js';
import { MembershipRepository } from '../joining/membership.repository.js';
import { zoneErrors } from '../zones.errors.js';
import { ZoneListService } from './zone-list.service.js';
import { ZoneRepository, type NewZone } from './zone.repository.js';

/** Creates and updates zones. */
@Injectable()
export class ZoneService {
  constructor(
    private readonly em: EntityManager,
    private readonly zones: ZoneRepository,
    private readonly memberships: MembershipRepository,
    private readonly lists: ZoneListService,
    private readonly users: UserRepository,
    private readonly usage: UsageService,
    private readonly activity: ActivityService,
    private readonly events: EventBus,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * Creates a zone. The plan's limit also holds for concurrent requests. A public zone gets a permanent link.
   * @throws PLAN_LIMIT
   */
  async create(ownerId: number, dto: CreateZoneDto): Promise<ZoneDto> {
    const id = await inTransaction(this.em, async (em) => {
      const zone = await this.zones.insertZone(em, newZone(ownerId, dto));
      await this.memberships.insertOwner(em, zone.id, await this.users.getManagedUser(ownerId));
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
    return this.lists.findOne(id, ownerId);
  }

  /**
   * Updates a zone. A zone that becomes public gets a permanent link. One that becomes private loses it, and the
   * options of public zones are reset to their defaults.
   * @throws ZONE_CHANGED if the given `version` is outdated
   */
  async update(zoneId: number, viewerId: number, dto: UpdateZoneDto): Promise<ZoneDto> {
    await inTransaction(this.em, async (em) => {
      const zone = await this.zones.lockZoneForUpdate(em, zoneId);
      if (dto.version !== undefined && dto.version !== zone.version) throw zoneErrors.ZONE_CHANGED();
      const type = dto.type ?? zone.type;
      const typeBefore = zone.type;
      const before = versionedFields(zone);
      const isPublic = type === 'public';
      Object.assign(zone, {
        name: dto.name ?? zone.name,
        description: dto.description ?? zone.description,
        type,
        autoJoin: isPublic ? (dto.autoJoin ?? zone.autoJoin) : true,
        requiresEmailOptin: isPublic ? (dto.requiresEmailOptin ?? zone.requiresEmailOptin) : true,
        showFiles: dto.showFiles ?? zone.showFiles,
        versionsKept: dto.versionsKept ?? zone.versionsKept,
        versionsDays: dto.versionsDays === undefined ? zone.versionsDays : dto.versionsDays,
        recordsReading: dto.recordsReading ?? zone.recordsReading,
        publicLink: isPublic ? (zone.publicLink ?? newPublicLink()) : null,
      });
      if (versionedFields(zone) !== before) zone.version += 1;
      await this.zones.saveZone(em, zone);
      if (type !== typeBefore) await this.events.emit(em, 'zone.typeChanged', { zoneId, type, actorId: viewerId });
    });
    return this.lists.findOne(zoneId, viewerId);
  }

  /**
   * Replaces the permanent link of a public zone; the old one stops working.
   * @returns false if the zone is private
   */
  renewPublicLink(zoneId: number, actorId: number): Promise<boolean> {
    return inTransaction(this.em, async (em) => {
      if (!(await this.zones.updatePublicLink(em, zoneId, newPublicLink()))) return false;
      await this.audit.record(em, { type: 'public-link.renewed', actorId, params: { zoneId } });
      return true;
    });
  }
}

function newZone(ownerId: number, dto: CreateZoneDto): NewZone {
  const isPublic = dto.type === 'public';
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
  };
}

/** Serialises the fields whose changes increment the version. */
function versionedFields(zone: Zone): string {
  const { name, description, type, autoJoin, requiresEmailOptin, showFiles } = zone;
  const { versionsKept, versionsDays, recordsReading } = zone;
  return JSON.stringify([
    ...[name, description, type, autoJoin, requiresEmailOptin],
    ...[showFiles, versionsKept, versionsDays, recordsReading],
  ]);
}

/** Generates the token of a permanent link: 132 bits. */
function newPublicLink(): string {
  return newToken().slice(0, 22);
}
