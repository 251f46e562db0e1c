import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AppConfig } from '../../platform/config/app-config.js';
import { legalContentOf, legalPages, type LegalPage } from '../../platform/config/legal-pages.js';
import { productVersion } from '../../platform/config/version.js';
import { commonErrors } from '../../platform/errors/common.errors.js';
import { PrerenderRegistry, type SiteSnapshot } from '../../platform/http/page/prerender-registry.js';
import type { FiguresDto, LegalDto, LegalPageDto, SiteDto, UsedDto } from './dto/site.dto.js';
import { SiteCountsService } from './site-counts.service.js';

/** Public information about this installation: its operator and its counts. */
@Injectable()
export class SiteService implements OnModuleInit {
  private readonly version = productVersion();
  private cachedSnapshot: { of: FiguresDto | null; generation: number; facts: SiteSnapshot } | null = null;

  constructor(
    private readonly config: AppConfig,
    private readonly counts: SiteCountsService,
    private readonly prerenderRegistry: PrerenderRegistry,
  ) {}

  onModuleInit(): void {
    this.prerenderRegistry.registerSite(() => this.snapshot());
  }

  async getSite(): Promise<SiteDto> {
    return this.toSiteDto(await this.counts.getCounts());
  }

  /**
   * Returns the operator's text for one of the legal pages.
   * @throws NOT_FOUND if there is none
   */
  getLegalPage(name: string): LegalPageDto {
    const page = legalPages.find((legalPage) => legalPage === name);
    const content = page && legalContentOf(this.config, page);
    if (!content || content.href === null) throw commonErrors.NOT_FOUND();
    return { address: content.address, texts: content.texts };
  }

  /** Returns the same object until the counts or the settings change. */
  private async snapshot(): Promise<SiteSnapshot> {
    const figures = await this.counts.getCountsOrNull();
    const { generation } = this.config;
    if (this.cachedSnapshot?.of !== figures || this.cachedSnapshot.generation !== generation) {
      this.cachedSnapshot = { of: figures, generation, facts: this.createSnapshot(figures) };
    }
    return this.cachedSnapshot.facts;
  }

  private createSnapshot(figures: FiguresDto | null): SiteSnapshot {
    const site = this.toSiteDto(figures ?? { creators: null, files: null, people: null });
    return { site, isComplete: figures !== null };
  }

  private toSiteDto(figures: FiguresDto): SiteDto {
    const { appName: name, isBillingEnabled, smtpUrl, company, contactEmail, singleSignOn, retention } = this.config;
    const about = {
      name,
      version: this.version,
      sells: isBillingEnabled,
      company,
      contactEmail,
      singleSignOn: singleSignOn?.name ?? null,
    };
    const sendsEmail = smtpUrl !== null;
    return { ...about, sendsEmail, figures, retention, uses: this.usedServices(), legal: this.legalLinks() };
  }

  private usedServices(): UsedDto {
    const { stripe, geoIpDb, storageUrl } = this.config;
    return {
      payments: stripe.secretKey !== null,
      // The bundled database contains only countries.
      places: geoIpDb === null ? 'country' : 'city',
      files: storageUrl.startsWith('file:') ? 'machine' : 'bucket',
    };
  }

  private legalLinks(): LegalDto {
    const urlOf = (page: LegalPage) => legalContentOf(this.config, page).href;
    return { terms: urlOf('terms'), privacy: urlOf('privacy'), imprint: urlOf('imprint') };
  }
}
