import { Injectable, type StreamableFile } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { fullName } from '../../auth/entities/user.entity.js';
import { UserService } from '../../auth/users/user.service.js';
import { LIST_LIMIT, type ListQueryDto, type Page } from '../../../platform/http/lists/list.js';
import type { LinkAnalyticsDto, LinkFiguresDto } from '../dto/link-analytics.dto.js';
import { LinkFiguresRepository } from './link-figures.repository.js';
import { LinkUsageRepository } from './link-usage.repository.js';
import { TemporaryLinkListService } from '../temporary/temporary-link-list.service.js';
import { fieldColumns, streamCsvFile } from '../../../platform/http/lists/csv-file.js';

/** An attempt as the owner may see it: no IP address, and the person's identity only if they joined. */
export interface AttemptRow {
  readonly id: number;
  readonly attemptedAt: Date;
  readonly outcome: string;
  readonly joinedAt: Date | null;
  readonly userName: string | null;
  readonly userEmail: string | null;
  readonly wasNewUser: boolean;
  readonly country: string | null;
  readonly city: string | null;
}

/** The viewer, in whose time zone days are counted, and the time zone requested, if any. */
export interface AnalyticsViewer {
  readonly viewerId: number;
  readonly timeZone: string | undefined;
}

/** Provides statistics of a zone's links. */
@Injectable()
export class LinkAnalyticsService {
  constructor(
    private readonly figures: LinkFiguresRepository,
    private readonly usages: LinkUsageRepository,
    private readonly clock: Clock,
    private readonly users: UserService,
    private readonly lists: TemporaryLinkListService,
  ) {}

  /**
   * Lists the temporary links of a zone with their statistics, using one query for the links and one for all
   * statistics.
   */
  async listForZone(zoneId: number, days: AnalyticsViewer, page: ListQueryDto): Promise<Page<LinkAnalyticsDto>> {
    const links = await this.lists.listForZone(zoneId, { ...page, limit: Math.min(page.limit ?? LIST_LIMIT, 200) });
    const ids = links.items.map(({ id }) => id);
    const figures = await this.figures.findFigures(zoneId, ids, await this.resolvePeriod(days));
    return { ...links, items: links.items.map((link) => ({ ...link, ...figures.get(link.id)! })) };
  }

  /** Returns the statistics of a zone's public link, including those of links it replaced. */
  async getForPublicLink(zoneId: number, days: AnalyticsViewer): Promise<LinkFiguresDto> {
    return (await this.figures.findFigures(zoneId, [null], await this.resolvePeriod(days))).get(null)!;
  }

  /**
   * Streams all attempts of a link, oldest first.
   * @param linkId null for the public link
   */
  async *streamAttempts(zoneId: number, linkId: number | null): AsyncGenerator<AttemptRow> {
    for await (const { firstName, lastName, ...row } of this.usages.streamUsages(zoneId, linkId))
      yield { ...row, userName: fullName({ firstName, lastName }) || null };
  }

  private async resolvePeriod({
    viewerId,
    timeZone: asked,
  }: AnalyticsViewer): Promise<{ now: Date; timeZone: string }> {
    return { now: this.clock.now(), timeZone: await this.users.getTimeZone(viewerId, asked) };
  }
}

/** Exports join attempts as CSV. People who did not join are not identified. */
export function createAttemptsCsv(rows: AsyncIterable<AttemptRow>, name: string): StreamableFile {
  return streamCsvFile(
    name,
    {
      time: (row) => row.attemptedAt,
      ...fieldColumns('outcome', 'joinedAt'),
      name: (row) => (row.joinedAt ? row.userName : null),
      email: (row) => (row.joinedAt ? row.userEmail : null),
      newUser: (row) => (row.joinedAt ? row.wasNewUser : null),
      ...fieldColumns('country', 'city'),
    },
    rows,
  );
}
