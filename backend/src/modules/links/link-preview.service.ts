import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock, MINUTE } from '../../platform/clock/clock.js';
import type { Language } from '../../platform/errors/app-error.js';
import { type RateRule, RateLimitService } from '../../platform/http/limits/rate-limit.service.js';
import { PrerenderRegistry } from '../../platform/http/page/prerender-registry.js';
import { consentText } from '../zones/consent/consent.policy.js';
import { zoneErrors } from '../zones/zones.errors.js';
import type { PublicZoneDto } from './dto/join.dto.js';
import type { TemporaryLinkInfoDto } from './dto/temporary-link.dto.js';
import { assertLinkAdmits } from './link.policy.js';
import { LinkRepository, type ZonePreviewRow } from './link.repository.js';
import { linkErrors } from './links.errors.js';

/** Limit for pages with a zone preview. Beyond it, pages are served without it and the app requests it. */
const PAGE_RATE: RateRule = { name: 'link-page-ip', limit: 300, window: MINUTE };

/** Number of file names that a link shows. */
const MAX_SHOWN = 6;

type FilePreview = Pick<PublicZoneDto, 'firstFiles' | 'moreFiles'>;

interface FileOptions {
  readonly zoneId: number;
  /** True if the owner allows links to show file names. */
  readonly showFiles: boolean;
  readonly fileCount: number;
}

/** Provides the zone preview for people with a link, for the API and for rendered pages. Changes nothing. */
@Injectable()
export class LinkPreviewService implements OnModuleInit {
  constructor(
    private readonly clock: Clock,
    private readonly links: LinkRepository,
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
    const zone = await this.links.findPublicZone(publicLink);
    if (!zone) throw linkErrors.LINK_NOT_FOUND();
    return this.toPublicZoneDto(zone, language);
  }

  /**
   * Returns the preview of any zone, even without a link, for people who manage it.
   * @throws ZONE_NOT_FOUND if it was deleted in the meantime
   */
  async previewZone(zoneId: number, language: Language): Promise<PublicZoneDto> {
    const zone = await this.links.findZonePreview(zoneId);
    if (!zone) throw zoneErrors.ZONE_NOT_FOUND();
    return this.toPublicZoneDto(zone, language);
  }

  /**
   * If the link has a password, shows only the zone's name and owner.
   * @throws LINK_NOT_FOUND, LINK_EXPIRED, LINK_MAX_USES
   */
  async previewTemporaryLink(token: string, language: Language): Promise<TemporaryLinkInfoDto> {
    const link = await this.links.findLinkByToken(token);
    if (!link) throw linkErrors.LINK_NOT_FOUND();
    const target = { zone: { id: link.zoneId }, linkId: link.id, publicLink: null };
    assertLinkAdmits(await this.links.findLinkWithZone(target), this.clock.now());
    const hidden = link.password !== null;
    const files = await this.previewFiles({
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

  private async toPublicZoneDto(zone: ZonePreviewRow, language: Language): Promise<PublicZoneDto> {
    const { id: zoneId, showFiles, fileCount } = zone;
    return {
      ...toZoneFields(zone, language),
      ...(await this.previewFiles({ zoneId, showFiles, fileCount })),
    };
  }

  /** Returns the first names at the zone's root, and the number of other files. */
  private async previewFiles({ zoneId, showFiles, fileCount }: FileOptions): Promise<FilePreview> {
    if (!showFiles) return { firstFiles: [], moreFiles: 0 };
    const firstFiles = await this.links.findFirstFiles(zoneId, MAX_SHOWN);
    const files = firstFiles.filter(({ mimeType }) => mimeType !== null).length;
    return { firstFiles, moreFiles: Math.max(0, fileCount - files) };
  }
}

function toZoneFields(zone: ZonePreviewRow, language: Language): Omit<PublicZoneDto, keyof FilePreview> {
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
