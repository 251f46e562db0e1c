import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { LIST_LIMIT, toPage, type ListQueryDto, type Page } from '../../../platform/http/lists/list.js';
import { getMaxFileBytes, largestPlan } from '../../plans/plan.policy.js';
import { zoneAbilities } from '../access/zone.policy.js';
import type { ZoneDto } from '../dto/zone.dto.js';
import { MembershipRepository } from '../joining/membership.repository.js';
import { zoneErrors } from '../zones.errors.js';
import { ZoneListRepository, type ZoneListKind, type ZoneRow } from './zone-list.repository.js';

/** Lists zones for display, with one query per list. */
@Injectable()
export class ZoneListService {
  constructor(
    private readonly config: AppConfig,
    private readonly clock: Clock,
    private readonly zones: ZoneListRepository,
    private readonly memberships: MembershipRepository,
  ) {}

  /** Returns a zone as the person sees it. The caller has checked the membership. */
  async findOne(zoneId: number, userId: number): Promise<ZoneDto> {
    return this.toZone(await this.zones.getZone(zoneId, userId));
  }

  /**
   * Lists the zones that the person owns, or those of others in which the person is a member, including expired
   * memberships; last changed first.
   */
  async listZones(
    userId: number,
    kind: ZoneListKind,
    { limit = LIST_LIMIT, cursor }: ListQueryDto,
  ): Promise<Page<ZoneDto>> {
    const found = await this.zones.listZones(userId, kind, limit + 1, cursor);
    const isComplete = cursor === undefined && found.length <= limit;
    const total = isComplete ? found.length : await this.zones.countListedZones(userId, kind);
    const page = toPage(found, limit, total, (zone) => [zone.updatedAt.toISOString(), zone.id]);
    const now = this.clock.now();
    return {
      ...page,
      items: page.items.map((row) => (isExpired(row, now) ? this.toExpiredZone(row) : this.toZone(row))),
    };
  }

  /**
   * Removes a zone from the person's list of shared zones after the membership expired; a later membership shows it
   * again.
   * @throws ZONE_NOT_FOUND if there is no expired membership
   */
  async dismissExpired(zoneId: number, userId: number): Promise<void> {
    const isDismissed = await this.memberships.setDismissedAt(zoneId, userId, this.clock.now());
    if (!isDismissed) throw zoneErrors.ZONE_NOT_FOUND();
  }

  /**
   * Shows a zone again in the person's list of shared zones after `dismissExpired`.
   * @throws ZONE_NOT_FOUND if there is no expired membership
   */
  async restoreDismissed(zoneId: number, userId: number): Promise<void> {
    if (!(await this.memberships.setDismissedAt(zoneId, userId, null))) throw zoneErrors.ZONE_NOT_FOUND();
  }

  /** After the membership expired, the person sees which zone it was, but not what it says and contains since then. */
  private toExpiredZone(row: ZoneRow): ZoneDto {
    return {
      ...this.toZone(row),
      description: '',
      ...{ fileCount: 0, folderCount: 0, totalBytes: 0, memberCount: 0, maxFileBytes: null },
      updatedAt: row.memberExpiresAt!,
      can: zoneAbilities(null),
    };
  }

  private toZone({ ownerPlan, defaultPlan, isOwnerSuperAdmin, ...zone }: ZoneRow): ZoneDto {
    const can = zoneAbilities(zone.memberRole);
    const planBytes = getMaxFileBytes(largestPlan(ownerPlan, defaultPlan), isOwnerSuperAdmin);
    return {
      ...zone,
      isPrivate: zone.type === 'private',
      isOwner: zone.memberRole === 'owner',
      publicLink: can.share ? zone.publicLink : null,
      maxFileBytes: can.manageFiles ? Math.min(planBytes, this.config.maxFileBytes) : null,
      can,
    };
  }
}

const isExpired = ({ memberExpiresAt }: ZoneRow, now: Date): boolean =>
  memberExpiresAt !== null && memberExpiresAt <= now;
