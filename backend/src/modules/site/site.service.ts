import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AppConfig } from '../../platform/config/app-config.js';
import { legalOf, legalPages, type LegalPage } from '../../platform/config/legal.js';
import { productVersion } from '../../platform/config/version.js';
import { commonErrors } from '../../platform/errors/common.errors.js';
import { PageFacts, type SiteFacts } from '../../platform/http/page/page-facts.js';
import type { FiguresDto, LegalDto, LegalPageDto, SiteDto, UsedDto } from './dto/site.dto.js';
import { FiguresService } from './figures.service.js';

/** What the public pages say of this installation: who runs it, and its counts. */
@Injectable()
export class SiteService implements OnModuleInit {
  private readonly version = productVersion();
  private latest: { of: FiguresDto | null; generation: number; facts: SiteFacts } | null = null;

  constructor(
    private readonly config: AppConfig,
    private readonly figures: FiguresService,
    private readonly pageFacts: PageFacts,
  ) {}

  onModuleInit(): void {
    this.pageFacts.register(() => this.facts());
  }

  /** What anybody may know of this installation. */
  async site(): Promise<SiteDto> {
    return this.about(await this.figures.figures());
  }

  /**
   * What the operator says on one of the legal pages.
   * @throws NOT_FOUND where nothing is said
   */
  legal(name: string): LegalPageDto {
    const page = legalPages.find((one) => one === name);
    const said = page && legalOf(this.config, page);
    if (!said || said.leadsTo === null) throw commonErrors.NOT_FOUND();
    return { address: said.address, texts: said.texts };
  }

  /** The same object until the figures have been counted again, or the installation was given another name. */
  private async facts(): Promise<SiteFacts> {
    const figures = await this.figures.figuresInTime();
    const { generation } = this.config;
    if (this.latest?.of !== figures || this.latest.generation !== generation) {
      this.latest = { of: figures, generation, facts: this.factsWith(figures) };
    }
    return this.latest.facts;
  }

  private factsWith(figures: FiguresDto | null): SiteFacts {
    const site = this.about(figures ?? { creators: null, files: null, people: null });
    return { site, isWhole: figures !== null };
  }

  private about(figures: FiguresDto): SiteDto {
    const { appName: name, sells, smtpUrl, company, contactEmail, singleSignOn, retention } = this.config;
    const about = {
      name,
      version: this.version,
      sells,
      company,
      contactEmail,
      singleSignOn: singleSignOn?.name ?? null,
    };
    const sendsEmail = smtpUrl !== null;
    return { ...about, sendsEmail, figures, retention, uses: this.uses(), legal: this.links() };
  }

  private uses(): UsedDto {
    const { stripe, geoIpDb, storageUrl } = this.config;
    return {
      payments: stripe.secretKey !== null,
      // The one that comes along knows countries alone.
      places: geoIpDb === null ? 'country' : 'city',
      files: storageUrl.startsWith('file:') ? 'machine' : 'bucket',
    };
  }

  private links(): LegalDto {
    const of = (page: LegalPage) => legalOf(this.config, page).leadsTo;
    return { terms: of('terms'), privacy: of('privacy'), imprint: of('imprint') };
  }
}
