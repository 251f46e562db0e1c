import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../platform/clock/clock.js';
import { AppConfig } from '../../platform/config/app-config.js';
import { PageFacts, type Facts } from '../../platform/http/page/page-facts.js';
import type { FiguresDto, SiteDto } from './dto/site.dto.js';
import { FiguresService } from './figures.service.js';
import { marksOf } from './page-marks.js';

/** What the public pages say of this installation: who runs it, and its counts. */
@Injectable()
export class SiteService implements OnModuleInit {
  private told: { of: FiguresDto | null; facts: Facts } | null = null;

  constructor(
    private readonly config: AppConfig,
    private readonly clock: Clock,
    private readonly figures: FiguresService,
    private readonly pageFacts: PageFacts,
  ) {}

  onModuleInit(): void {
    this.pageFacts.register(() => this.facts());
  }

  async site(): Promise<SiteDto> {
    return this.about(await this.figures.figures());
  }

  /** The same object until the figures have been counted again. */
  private async facts(): Promise<Facts> {
    const figures = await this.figures.figuresInTime();
    if (!this.told || this.told.of !== figures) this.told = { of: figures, facts: this.factsWith(figures) };
    return this.told.facts;
  }

  private factsWith(figures: FiguresDto | null): Facts {
    const site = this.about(figures ?? { creators: null, files: null, people: null });
    return { marks: marksOf(site, this.clock.now().getFullYear()), answer: figures && site };
  }

  private about(figures: FiguresDto): SiteDto {
    const { appName: name, company, contactEmail } = this.config;
    return { name, company, contactEmail, figures };
  }
}
