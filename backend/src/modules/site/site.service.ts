import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AppConfig } from '../../platform/config/app-config.js';
import { PageFacts, type SiteFacts } from '../../platform/http/page/page-facts.js';
import type { FiguresDto, SiteDto } from './dto/site.dto.js';
import { FiguresService } from './figures.service.js';

/** What the public pages say of this installation: who runs it, and its counts. */
@Injectable()
export class SiteService implements OnModuleInit {
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
    const { appName: name, sells, company, contactEmail, singleSignOn, retention } = this.config;
    return { name, sells, company, contactEmail, singleSignOn: singleSignOn?.name ?? null, figures, retention };
  }
}
