import { Injectable, Logger } from '@nestjs/common';
import { addMilliseconds, Clock, MINUTE } from '../../platform/clock/clock.js';
import { withTimeout } from '../../platform/clock/with-timeout.js';
import { AppConfig } from '../../platform/config/app-config.js';
import type { FiguresDto } from './dto/site.dto.js';
import { SiteCountsRepository } from './site-counts.repository.js';

/** The endpoint is public, so the counts are cached for this long, in milliseconds. */
const CACHE_MILLISECONDS = 10 * MINUTE;
/** In milliseconds. */
const COUNT_TIMEOUT = 500;

/** The public counts of this installation. */
@Injectable()
export class SiteCountsService {
  private readonly logger = new Logger(SiteCountsService.name);
  private cached: { until: Date; figures: FiguresDto } | null = null;
  private counting: Promise<FiguresDto> | null = null;

  constructor(
    private readonly siteCounts: SiteCountsRepository,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  /**
   * Returns the counts, each null below LANDING_MIN_COUNT. Only calls before the first count has finished wait. After
   * ten minutes, a call triggers a recount and still returns the previous object, which stays the same until the
   * recount is done.
   */
  async getCounts(): Promise<FiguresDto> {
    if (!this.cached) return this.refresh();
    if (this.cached.until <= this.clock.now()) {
      this.refresh().catch((error: unknown) => this.logger.warn(error));
    }
    return this.cached.figures;
  }

  /**
   * Like `getCounts`, for callers that can't wait: returns null on errors, or if there are no counts after half a
   * second.
   */
  async getCountsOrNull(): Promise<FiguresDto | null> {
    try {
      return await withTimeout(
        COUNT_TIMEOUT,
        this.getCounts(),
        'The figures of this installation are not counted yet.',
      );
    } catch (error) {
      this.logger.warn(error);
      return null;
    }
  }

  private refresh(): Promise<FiguresDto> {
    this.counting ??= this.countAndCache().finally(() => {
      this.counting = null;
    });
    return this.counting;
  }

  private async countAndCache(): Promise<FiguresDto> {
    const until = addMilliseconds(this.clock.now(), CACHE_MILLISECONDS);
    const figures = await this.readCounts();
    this.cached = { until, figures };
    return figures;
  }

  private async readCounts(): Promise<FiguresDto> {
    const counts = await this.siteCounts.countAll();
    return {
      creators: this.hideSmallCount(counts.creators),
      files: this.hideSmallCount(counts.files),
      people: this.hideSmallCount(counts.people),
    };
  }

  private hideSmallCount(count: number): number | null {
    return count < this.config.landingMinCount ? null : count;
  }
}
