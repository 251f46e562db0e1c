import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { LIST_LIMIT, toPage, type ListQueryDto, type Page } from '../../../platform/http/lists/list.js';
import type { TemporaryLinkDto } from '../dto/temporary-link.dto.js';
import { isUsedUp, isExpired, linkState } from '../link.policy.js';
import { LinkRepository, type TemporaryLinkRow } from '../link.repository.js';
import { linkErrors } from '../links.errors.js';

/** Shows temporary links to those who manage them. */
@Injectable()
export class TemporaryLinkListService {
  constructor(
    private readonly links: LinkRepository,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  /** Lists the temporary links of a zone, newest first. */
  async listForZone(zoneId: number, { limit = LIST_LIMIT, cursor }: ListQueryDto): Promise<Page<TemporaryLinkDto>> {
    const { rows, total } = await this.links.findLinks(zoneId, { limit: limit + 1, cursor });
    return toPage(
      rows.map((row) => this.toDto(row)),
      limit,
      total,
      ({ id }) => [id],
    );
  }

  /**
   * Returns a link. The caller has checked that the viewer may see it.
   * @throws TEMPORARY_LINK_NOT_FOUND if it was deleted in the meantime
   */
  async findOne(id: number): Promise<TemporaryLinkDto> {
    const row = await this.links.findLink(id);
    if (!row) throw linkErrors.TEMPORARY_LINK_NOT_FOUND();
    return this.toDto(row);
  }

  private toDto(link: TemporaryLinkRow): TemporaryLinkDto {
    const now = this.clock.now();
    return {
      ...link,
      url: `${this.config.appUrl}/zone/temp/${link.token}`,
      isExpired: isExpired(link, now),
      hasReachedMaxUses: isUsedUp(link),
      state: linkState(link, now),
    };
  }
}
