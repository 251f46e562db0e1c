import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { AuditType } from '../../../platform/audit/audit-types.js';
import { AuditRepository } from '../../../platform/audit/audit.repository.js';
import { Clock } from '../../../platform/clock/clock.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { DomainEvents } from '../../../platform/events/domain-events.js';
import { OnEvent } from '../../../platform/events/on-event.decorator.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { newToken } from '../../../platform/security/secrets.js';
import { ZoneAccessRepository } from '../../zones/access/zone-access.repository.js';
import { zoneAbilities } from '../../zones/access/zone.policy.js';
import { zoneErrors } from '../../zones/zones.errors.js';
import type { CreateTemporaryLinkDto, TemporaryLinkDto, UpdateTemporaryLinkDto } from '../dto/temporary-link.dto.js';
import { ZoneRepository } from '../../zones/zone/zone.repository.js';
import { LinkRepository } from '../link.repository.js';
import { linkErrors } from '../links.errors.js';
import { markExpiredLinks } from '../links.jobs.js';
import { invalidTime, parseLinkExpiry, tooFewUses } from '../shared/link-limits.js';
import { LinkPasswordService } from './link-password.service.js';
import { TemporaryLinkListService } from './temporary-link-list.service.js';

/** Creates, updates and ends temporary links on behalf of the zone's owner. */
@Injectable()
export class TemporaryLinkService {
  constructor(
    private readonly em: EntityManager,
    private readonly links: LinkRepository,
    private readonly zones: ZoneRepository,
    private readonly clock: Clock,
    private readonly access: ZoneAccessRepository,
    private readonly linkPassword: LinkPasswordService,
    private readonly lists: TemporaryLinkListService,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * Creates a link to a private zone.
   * @throws ZONE_IS_PUBLIC; VALIDATION_FAILED if the end is missing or in the past
   */
  async createLink(zoneId: number, userId: number, dto: CreateTemporaryLinkDto): Promise<TemporaryLinkDto> {
    const expiresAt = parseLinkExpiry(dto, this.clock.now());
    if (!expiresAt) throw invalidTime('expiresAt');
    const password = dto.password == null ? null : await this.linkPassword.hash(dto.password);
    const id = await inTransaction(this.em, async (em) => {
      await this.lockPrivateZone(em, zoneId);
      const id = await this.links.insertLink(em, {
        zoneId,
        name: dto.name,
        token: newToken().slice(0, 22),
        expiresAt,
        password,
        maxUses: dto.maxUses ?? null,
        membershipDays: dto.membershipDays ?? null,
        createdById: userId,
      });
      await this.recordAudit(em, 'temporary-link.created', userId, { id, zoneId });
      return id;
    });
    return this.lists.findOne(id);
  }

  /**
   * Updates a link; omitted fields stay unchanged, null removes a limit or the password.
   * @throws TEMPORARY_LINK_NOT_FOUND, ZONE_FORBIDDEN, ZONE_IS_PUBLIC
   * @throws VALIDATION_FAILED if the end is in the past or the limit is lower than the number of uses
   */
  async updateLink(id: number, userId: number, dto: UpdateTemporaryLinkDto): Promise<TemporaryLinkDto> {
    const zoneId = await this.getManageableZoneId(id, userId);
    const expiresAt = parseLinkExpiry(dto, this.clock.now());
    const password = dto.password == null ? dto.password : await this.linkPassword.hash(dto.password);
    await inTransaction(this.em, async (em) => {
      await this.lockPrivateZone(em, zoneId);
      const link = await this.links.lockLink(em, id);
      if (!link) throw linkErrors.TEMPORARY_LINK_NOT_FOUND();
      if (dto.maxUses != null && dto.maxUses < link.currentUses) throw tooFewUses(link.currentUses);
      const wasActive = link.isActive;
      if (dto.name !== undefined) link.name = dto.name;
      if (dto.maxUses !== undefined) link.maxUses = dto.maxUses;
      if (dto.membershipDays !== undefined) link.membershipDays = dto.membershipDays;
      if (dto.isActive !== undefined) link.isActive = dto.isActive;
      if (password !== undefined) Object.assign(link, { password, passwordAttackedAt: null });
      if (expiresAt) Object.assign(link, { expiresAt, expiredAt: null });
      if (wasActive !== link.isActive) {
        await this.recordAudit(em, `temporary-link.${link.isActive ? 'resumed' : 'paused'}`, userId, link);
      }
      await this.links.saveLink(em, link);
    });
    return this.lists.findOne(id);
  }

  /**
   * Deletes a link and its statistics; its members stay.
   * @throws TEMPORARY_LINK_NOT_FOUND, ZONE_FORBIDDEN
   */
  async deleteLink(id: number, userId: number): Promise<void> {
    const zoneId = await this.getManageableZoneId(id, userId);
    await inTransaction(this.em, async (em) => {
      if (!(await this.links.deleteLink(em, id))) throw linkErrors.TEMPORARY_LINK_NOT_FOUND();
      await this.recordAudit(em, 'temporary-link.deleted', userId, { id, zoneId });
    });
  }

  /**
   * Ends all temporary links of a zone that becomes public. For a zone that becomes private, the public link ends with
   * its column.
   */
  @OnEvent('zone.typeChanged')
  async endAllLinks(em: EntityManager, { zoneId, type, actorId }: DomainEvents['zone.typeChanged']): Promise<void> {
    if (type !== 'public') return;
    for (const id of await this.links.endLinksOf(em, zoneId))
      await this.recordAudit(em, 'temporary-link.ended', actorId, { id, zoneId });
  }

  /**
   * Records that a link has granted its days to a person whose request was approved, so that it does not grant them
   * again. An earlier grant is not an error.
   */
  @OnEvent('zone.requestApproved')
  async recordRedemption(em: EntityManager, { linkId, userId }: DomainEvents['zone.requestApproved']): Promise<void> {
    await this.links.insertRedemptionIfLinkExists(em, linkId, userId);
  }

  /**
   * Returns the zone of a link if the viewer may manage its links. Non-members can't tell that it exists.
   * @throws TEMPORARY_LINK_NOT_FOUND, ZONE_FORBIDDEN
   */
  async getManageableZoneId(id: number, userId: number): Promise<number> {
    const zoneId = await this.links.findZoneId(id);
    const zone = zoneId === null ? null : await this.access.findAccessibleZone(zoneId, userId);
    if (!zone) throw linkErrors.TEMPORARY_LINK_NOT_FOUND();
    if (!zoneAbilities(zone.role).share) throw zoneErrors.ZONE_FORBIDDEN();
    return zone.id;
  }

  /** Marks each expired link, and records its end, only once. */
  @OnJob(markExpiredLinks)
  async markExpired(): Promise<void> {
    await inTransaction(this.em, async (em) => {
      const expired = await this.links.markExpired(em);
      const auditEntries = expired.map(
        ({ id, zoneId }) => ({ type: 'temporary-link.expired', params: { zoneId, linkId: id } }) as const,
      );
      await this.audit.recordMany(em, auditEntries);
    });
  }

  /** Keeps the zone private until the end of the transaction. Locks are taken in the order zone, link. */
  private async lockPrivateZone(em: EntityManager, zoneId: number): Promise<void> {
    const zone = await this.zones.lockZone(em, zoneId);
    if (!zone) throw zoneErrors.ZONE_NOT_FOUND();
    if (zone.type !== 'private') throw linkErrors.ZONE_IS_PUBLIC();
  }

  private recordAudit(
    em: EntityManager,
    type: AuditType,
    actorId: number,
    { id, zoneId }: { id: number; zoneId: number },
  ) {
    return this.audit.record(em, { type, actorId, params: { zoneId, linkId: id } });
  }
}
