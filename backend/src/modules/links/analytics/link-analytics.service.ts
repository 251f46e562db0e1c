import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type StreamableFile } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { readInBatches, type RowStream } from '../../../platform/database/in-batches.js';
import { fullName, UserSchema } from '../../auth/entities/user.entity.js';
import { UserService } from '../../auth/users/user.service.js';
import { LIST_LIMIT, type ListQueryDto, type Page } from '../../../platform/http/lists/list.js';
import type { LinkAnalyticsDto, LinkFiguresDto } from '../dto/link-analytics.dto.js';
import { LinkUsageSchema } from '../entities/link-usage.entity.js';
import { fetchLinkFigures } from './link-figures.js';
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
    private readonly em: EntityManager,
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
    const figures = await fetchLinkFigures(this.em, zoneId, ids, await this.resolvePeriod(days));
    return { ...links, items: links.items.map((link) => ({ ...link, ...figures.get(link.id)! })) };
  }

  /** Returns the statistics of a zone's public link, including those of links it replaced. */
  async getForPublicLink(zoneId: number, days: AnalyticsViewer): Promise<LinkFiguresDto> {
    return (await fetchLinkFigures(this.em, zoneId, [null], await this.resolvePeriod(days))).get(null)!;
  }

  /**
   * Streams all attempts of a link, oldest first.
   * @param linkId null for the public link
   */
  streamAttempts(zoneId: number, linkId: number | null): RowStream {
    return readInBatches((last: AttemptRow | null, limit) => {
      const rows = query<typeof LinkUsageSchema | typeof UserSchema>(this.em)
        .selectFrom('link_usages as u')
        .leftJoin('users as p', 'p.id', 'u.user_id')
        .select(['u.id as id', 'u.attempted_at as attemptedAt', 'u.outcome as outcome', 'u.joined_at as joinedAt'])
        .select(['p.first_name as firstName', 'p.last_name as lastName', 'p.email as userEmail'])
        .select(['u.was_new_user as wasNewUser', 'u.country as country', 'u.city as city'])
        .where('u.zone_id', '=', zoneId)
        .where('u.link_id', linkId === null ? 'is' : '=', linkId)
        .orderBy('u.attempted_at')
        .orderBy('u.id')
        .limit(limit);
      const next = last
        ? rows.where(sql<boolean>`(u.attempted_at, u.id) > (${last.attemptedAt}::timestamptz, ${last.id}::bigint)`)
        : rows;
      return next.execute().then((found) =>
        found.map(({ firstName, lastName, ...row }) => ({
          ...row,
          id: Number(row.id),
          attemptedAt: new Date(row.attemptedAt),
          joinedAt: row.joinedAt === null ? null : new Date(row.joinedAt),
          userName: fullName({ firstName, lastName }) || null,
        })),
      );
    });
  }

  private async resolvePeriod({
    viewerId,
    timeZone: asked,
  }: AnalyticsViewer): Promise<{ now: Date; timeZone: string }> {
    return { now: this.clock.now(), timeZone: await this.users.getTimeZone(viewerId, asked) };
  }
}

/** Exports join attempts as CSV. People who did not join are not identified. */
export function createAttemptsCsv(rows: AsyncIterable<object>, name: string): StreamableFile {
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
    rows as AsyncIterable<AttemptRow>,
  );
}
