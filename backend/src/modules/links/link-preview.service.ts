import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock, MINUTE } from '../../platform/clock/clock.js';
import type { Language } from '../../platform/errors/app-error.js';
import { type RateRule, RateLimitService } from '../../platform/http/limits/rate-limit.service.js';
import { PrerenderRegistry } from '../../platform/http/page/prerender-registry.js';
import { consentText } from '../zones/consent/consent.policy.js';
import type { PublicZoneDto } from './dto/join.dto.js';
import type { TemporaryLinkInfoDto } from './dto/temporary-link.dto.js';
import { LinkFilePreviewService } from './link-file-preview.service.js';
import { LinkEntryService } from './link-entry.service.js';
import type { ShownZone } from './link-zone.repository.js';
import { TemporaryLinkListService } from './temporary/temporary-link-list.service.js';

/** Limit for pages with a zone preview. Beyond it, pages are served without it and the app requests it. */
const PAGE_RATE: RateRule = { name: 'link-page-ip', limit: 300, window: MINUTE };

/** Provides the zone preview for people with a link, for the API and for rendered pages. Changes nothing. */
@Injectable()
export class LinkPreviewService implements OnModuleInit {
  constructor(
    private readonly clock: Clock,
    private readonly entry: LinkEntryService,
    private readonly lists: TemporaryLinkListService,
    private readonly linkFilePreview: LinkFilePreviewService,
    private readonly limits: RateLimitService,
    private readonly pages: PrerenderRegistry,
  ) {}

  onModuleInit(): void {
    this.pages.registerPages({
      path: /^\/join\/([\w-]+)\/?$/,
      renderer: 'publicJoin',
      apiPath: (publicLink) => `/api/public-zones/${publicLink}`,
      loadResponse: async (publicLink, language, network) => {
        await this.limits.consume(PAGE_RATE, network);
        return this.previewPublicZone(publicLink, language);
      },
    });
    this.pages.registerPages({
      path: /^\/zone\/temp\/([\w-]+)\/?$/,
      renderer: 'temporaryJoin',
      apiPath: (token) => `/api/temporary-links/${token}`,
      loadResponse: async (token, language, network) => {
        await this.limits.consume(PAGE_RATE, network);
        return this.previewTemporaryLink(token, language);
      },
    });
  }

  /** @throws LINK_NOT_FOUND */
  async previewPublicZone(publicLink: string, language: Language): Promise<PublicZoneDto> {
    return this.toPublicZoneDto(await this.entry.findPublicZone(publicLink), language);
  }

  /** Returns the preview of any zone, even without a link, for people who manage it. */
  async previewZone(zoneId: number, language: Language): Promise<PublicZoneDto> {
    return this.toPublicZoneDto(await this.entry.findShownZone(zoneId), language);
  }

  /**
   * If the link has a password, shows only the zone's name and owner.
   * @throws LINK_NOT_FOUND, LINK_EXPIRED, LINK_MAX_USES
   */
  async previewTemporaryLink(token: string, language: Language): Promise<TemporaryLinkInfoDto> {
    const link = await this.lists.findByToken(token);
    await this.entry.assertLinkValid({
      zoneId: link.zoneId,
      linkId: link.id,
      publicLink: null,
      askedAt: this.clock.now(),
    });
    const hidden = link.password !== null;
    const files = await this.linkFilePreview.getPreview({
      zoneId: link.zoneId,
      showFiles: link.showFiles && !hidden,
      fileCount: link.fileCount,
    });
    return {
      zoneName: link.zoneName,
      zoneDescription: hidden ? null : link.zoneDescription,
      expiresAt: new Date(link.expiresAt),
      remainingUses: link.maxUses === null ? null : link.maxUses - link.currentUses,
      fileCount: hidden ? null : link.fileCount,
      memberCount: hidden ? null : link.memberCount,
      ...files,
      owner: { firstName: link.ownerFirstName, lastName: link.ownerLastName },
      // A temporary link counts as the owner's approval.
      autoJoin: true,
      requiresEmailOptin: link.requiresEmailOptin,
      requiresPassword: hidden,
      membershipDays: link.membershipDays,
      consentText: consentText[language],
    };
  }

  private async toPublicZoneDto(zone: ShownZone, language: Language): Promise<PublicZoneDto> {
    const { id: zoneId, showFiles, fileCount } = zone;
    return {
      ...toZoneFields(zone, language),
      ...(await this.linkFilePreview.getPreview({ zoneId, showFiles, fileCount })),
    };
  }
}

function toZoneFields(zone: ShownZone, language: Language): Omit<PublicZoneDto, 'firstFiles' | 'moreFiles'> {
  return {
    name: zone.name,
    description: zone.description,
    fileCount: zone.fileCount,
    memberCount: zone.memberCount,
    owner: { firstName: zone.ownerFirstName, lastName: zone.ownerLastName },
    autoJoin: zone.autoJoin,
    requiresEmailOptin: zone.requiresEmailOptin,
    consentText: consentText[language],
  };
}
