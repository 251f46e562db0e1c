import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { query } from '../../platform/database/query.js';
import { containsPattern, type AdminPage } from '../../platform/http/lists/admin-list.js';
import { loadAdminPage, streamNewestFirst } from '../../platform/http/lists/admin-page.js';
import { cursorTuple, decodeCursor } from '../../platform/http/lists/cursor.js';
import { countRows, LIST_LIMIT, toPage, type Page } from '../../platform/http/lists/list.js';
import type { Viewer } from '../../platform/http/parsing/viewer.js';
import { normaliseForSearch } from '../../platform/text/normalise-for-search.js';
import { fullName, UserSchema } from '../auth/entities/user.entity.js';
import type {
  AdminSuggestionDto,
  AdminSuggestionQueryDto,
  SuggestionDto,
  SuggestionQueryDto,
} from './dto/suggestion.dto.js';
import { FeatureSuggestionSchema } from './entities/feature-suggestion.entity.js';
import { suggestionAbilities } from './suggestion.policy.js';
import { suggestionErrors } from './suggestions.errors.js';

type Tables = typeof FeatureSuggestionSchema | typeof UserSchema;
type Filter = Pick<SuggestionQueryDto, 'status' | 'category' | 'q'>;

/** A merged suggestion is shown only to administrators and its submitter; others see the one it was merged into. */
const isNotMerged = sql<boolean>`s.merged_into_id is null`;
const isNotMergedOrOwn = (viewerId: number) => sql<boolean>`(${isNotMerged} or s.submitted_by_id = ${viewerId})`;

const sorting = {
  fields: {
    createdAt: 's.id',
    voteCount: 's.vote_count',
    title: 's.title',
    status: 's.status',
    priority: 's.priority',
  },
  id: 's.id',
};

/** From 0 to 1: how much of a title must occur in a suggestion for it to count as similar. */
const MIN_SIMILARITY = 0.5;
const MAX_SIMILAR = 5;

/** Lists suggestions. */
@Injectable()
export class SuggestionListService {
  constructor(private readonly em: EntityManager) {}

  /** Returns a page of the board, sorted by votes or newest first. */
  async listBoard(viewer: Viewer, params: SuggestionQueryDto): Promise<Page<SuggestionDto>> {
    const { limit = LIST_LIMIT, cursor, sort = 'votes' } = params;
    const boardQuery = () => this.matchingQuery(params).where(isNotMergedOrOwn(viewer.userId));
    let rows = this.withColumns(boardQuery(), viewer.userId).limit(limit + 1);
    if (sort === 'votes') rows = rows.orderBy('s.vote_count', 'desc');
    rows = rows.orderBy('s.id', 'desc');
    if (cursor) rows = rows.where(afterCursor(cursor, sort));
    const total = await countRows(boardQuery());
    const found = (await rows.execute()).map((row) => this.toDto(row, viewer));
    return toPage(found, limit, total, ({ voteCount, id }) => (sort === 'votes' ? [voteCount, id] : [id]));
  }

  /** Returns a page of the administrators' list, with email addresses. */
  listForAdmin(viewer: Viewer, params: AdminSuggestionQueryDto): Promise<AdminPage<AdminSuggestionDto>> {
    const rows = this.withEmails({}, viewer);
    return loadAdminPage(params, sorting, {
      filtered: this.matchingQuery(params),
      rows,
      toRow: (row) => this.toDto(row, viewer),
    });
  }

  /** Streams all matching suggestions, newest first. */
  streamAll(viewer: Viewer, filter: Filter): AsyncGenerator<AdminSuggestionDto> {
    return streamNewestFirst(this.withEmails(filter, viewer), 's.id', (row) => this.toDto(row, viewer));
  }

  /** Returns up to five suggestions with wording similar to a title, most similar first, to avoid duplicates. */
  async findSimilar(viewer: Viewer, title: string): Promise<SuggestionDto[]> {
    const similarity = sql<number>`word_similarity(${normaliseForSearch(title)}, s.search_key)`;
    const rows = this.withColumns(this.matchingQuery({}).where(isNotMerged), viewer.userId)
      .where(sql<boolean>`${similarity} >= ${MIN_SIMILARITY}`)
      .orderBy(similarity, 'desc')
      .orderBy('s.vote_count', 'desc')
      .orderBy('s.id', 'desc')
      .limit(MAX_SIMILAR);
    return (await rows.execute()).map((row) => this.toDto(row, viewer));
  }

  /** @throws SUGGESTION_NOT_FOUND */
  async findOne(id: number, viewer: Viewer): Promise<SuggestionDto> {
    const row = await this.withColumns(this.matchingQuery({}), viewer.userId).where('s.id', '=', id).executeTakeFirst();
    if (!row) throw suggestionErrors.SUGGESTION_NOT_FOUND();
    return this.toDto(row, viewer);
  }

  private matchingQuery({ status, category, q }: Filter) {
    let rows = query<Tables>(this.em).selectFrom('feature_suggestions as s');
    if (status) rows = rows.where('s.status', '=', status);
    if (category) rows = rows.where('s.category', '=', category);
    for (const word of normaliseForSearch(q ?? '')
      .split(/\s+/)
      .filter(Boolean)) {
      rows = rows.where('s.search_key', 'like', containsPattern(word));
    }
    return rows;
  }

  private withColumns(rows: ReturnType<SuggestionListService['matchingQuery']>, viewerId: number) {
    return rows
      .leftJoin('users as u', 'u.id', 's.submitted_by_id')
      .leftJoin('feature_suggestions as into', 'into.id', 's.merged_into_id')
      .select(['s.id as id', 's.title as title', 's.description as description', 's.category as category'])
      .select(['s.status as status', 's.priority as priority', 's.vote_count as voteCount'])
      .select(['s.admin_notes as adminNotes', 's.estimated_hours as estimatedHours'])
      .select(['s.target_version as targetVersion', 's.created_at as createdAt', 's.updated_at as updatedAt'])
      .select(['s.submitted_by_id as submittedById', 'u.username as username'])
      .select(['u.first_name as firstName', 'u.last_name as lastName'])
      .select(['into.id as intoId', 'into.title as intoTitle', 'into.vote_count as intoVotes'])
      .select(
        sql<number>`(select count(*)::int from feature_suggestions m where m.merged_into_id = s.id)`.as('mergedCount'),
      )
      .select(
        sql<boolean>`exists (
          select from feature_votes v join feature_suggestions g on g.id = v.suggestion_id
          where v.user_id = ${viewerId} and (g.id = s.id or g.merged_into_id = s.id))`.as('userVoted'),
      );
  }

  private withEmails(filter: Filter, { userId }: Viewer) {
    return this.withColumns(this.matchingQuery(filter), userId).select('u.email as submitterEmail');
  }

  private toDto<R extends SuggestionRow>(row: R, viewer: Viewer) {
    const { firstName, lastName, username, submittedById, intoId, intoTitle, intoVotes, ...suggestion } = row;
    const isOwn = submittedById === viewer.userId;
    const mergedInto = intoId === null ? null : { id: intoId, title: intoTitle!, voteCount: intoVotes! };
    return {
      ...suggestion,
      submitterName: fullName({ firstName, lastName }) || username,
      isOwn,
      mergedInto,
      can: suggestionAbilities(viewer, { status: row.status, isOwn, isMerged: mergedInto !== null }),
    };
  }
}

type SuggestionRow = Awaited<ReturnType<ReturnType<SuggestionListService['withColumns']>['execute']>>[number];

function afterCursor(cursor: string, sort: 'votes' | 'newest') {
  if (sort === 'newest') {
    const [id] = decodeCursor(cursor, ['bigint']);
    return sql<boolean>`s.id < ${id}::bigint`;
  }
  return sql<boolean>`(s.vote_count, s.id) < ${cursorTuple(cursor, ['int', 'bigint'])}`;
}
