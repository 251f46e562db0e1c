import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { query } from '../../../platform/database/query.js';
import { decodeCursor } from '../../../platform/http/lists/cursor.js';
import { countRows, LIST_LIMIT, toPage, type ListQueryDto, type Page } from '../../../platform/http/lists/list.js';
import { UserSchema } from '../../auth/entities/user.entity.js';
import { ZoneStatsSchema } from '../../zones/entities/zone-stats.entity.js';
import { ZoneSchema } from '../../zones/entities/zone.entity.js';
import type { TemporaryLinkDto } from '../dto/temporary-link.dto.js';
import { TemporaryLinkSchema } from '../entities/temporary-link.entity.js';
import { isUsedUp, isExpired, linkState } from '../link.policy.js';
import { linkErrors } from '../links.errors.js';

type Tables = typeof TemporaryLinkSchema | typeof ZoneSchema | typeof ZoneStatsSchema | typeof UserSchema;

/** Lists temporary links for display, with one query per list. */
@Injectable()
export class TemporaryLinkListService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  /** Lists the temporary links of a zone, newest first. */
  async listForZone(zoneId: number, { limit = LIST_LIMIT, cursor }: ListQueryDto): Promise<Page<TemporaryLinkDto>> {
    let rows = this.linksQuery()
      .where('l.zone_id', '=', zoneId)
      .orderBy('l.id', 'desc')
      .limit(limit + 1);
    if (cursor) rows = rows.where('l.id', '<', decodeCursor(cursor, ['bigint'])[0]);
    const links = (await rows.execute()).map((row) => this.toDto(row));
    const matching = query<Tables>(this.em).selectFrom('temporary_links').where('zone_id', '=', zoneId);
    return toPage(links, limit, await countRows(matching), ({ id }) => [id]);
  }

  /**
   * Returns a link. The caller has checked that the viewer may see it.
   * @throws TEMPORARY_LINK_NOT_FOUND if it was deleted in the meantime
   */
  async findOne(id: number): Promise<TemporaryLinkDto> {
    const row = await this.linksQuery()
      .where('l.id', '=', id)
      .executeTakeFirstOrThrow(() => linkErrors.TEMPORARY_LINK_NOT_FOUND());
    return this.toDto(row);
  }

  /**
   * Returns a visitor's link and its zone if the zone is private and active and its owner is active. The caller must
   * check whether the link still admits people.
   * @throws LINK_NOT_FOUND
   */
  async findByToken(token: string) {
    const row = await query<Tables>(this.em)
      .selectFrom('temporary_links as l')
      .innerJoin('zones as z', 'z.id', 'l.zone_id')
      .innerJoin('zone_stats as s', 's.zone_id', 'z.id')
      .innerJoin('users as o', 'o.id', 'z.owner_id')
      .select(['l.id as id', 'l.password as password', 'l.expires_at as expiresAt', 'l.max_uses as maxUses'])
      .select(['l.current_uses as currentUses', 'l.membership_days as membershipDays'])
      .select(['z.id as zoneId', 'z.owner_id as ownerId', 'z.name as zoneName', 'z.description as zoneDescription'])
      .select(['z.requires_email_optin as requiresEmailOptin', 'z.show_files as showFiles'])
      .select(['s.files as fileCount', 's.members as memberCount'])
      .select(['o.first_name as ownerFirstName', 'o.last_name as ownerLastName'])
      .where('l.token', '=', token)
      .where('z.type', '=', 'private')
      .where('z.deleted_at', 'is', null)
      .where('z.is_active', '=', true)
      .where('o.deactivated_at', 'is', null)
      .executeTakeFirst();
    if (!row) throw linkErrors.LINK_NOT_FOUND();
    return row;
  }

  private linksQuery() {
    return query<Tables>(this.em)
      .selectFrom('temporary_links as l')
      .select(['l.id as id', 'l.zone_id as zoneId', 'l.token as token', 'l.name as name', 'l.expires_at as expiresAt'])
      .select(['l.max_uses as maxUses', 'l.current_uses as currentUses', 'l.is_active as isActive'])
      .select(['l.membership_days as membershipDays', 'l.created_by_id as createdById'])
      .select(['l.created_at as createdAt', 'l.updated_at as updatedAt'])
      .select(({ eb }) => eb('l.password', 'is not', null).$castTo<boolean>().as('hasPassword'));
  }

  private toDto(row: Awaited<ReturnType<ReturnType<TemporaryLinkListService['linksQuery']>['execute']>>[number]) {
    const now = this.clock.now();
    const link = { ...row, expiresAt: new Date(row.expiresAt) };
    return {
      ...link,
      url: `${this.config.appUrl}/zone/temp/${row.token}`,
      isExpired: isExpired(link, now),
      hasReachedMaxUses: isUsedUp(link),
      state: linkState(link, now),
      createdAt: new Date(row.createdAt),
      updatedAt: new Date(row.updatedAt),
    };
  }
}
