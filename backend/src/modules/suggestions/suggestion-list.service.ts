import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { query } from '../../platform/database/query.js';
import { containing, type AdminPage } from '../../platform/http/lists/admin-list.js';
import { adminPage, newestFirst } from '../../platform/http/lists/admin-page.js';
import { cursorTuple, decodeCursor } from '../../platform/http/lists/cursor.js';
import { countOf, LIST_LIMIT, pageOf, type Page } from '../../platform/http/lists/list.js';
import type { Viewer } from '../../platform/http/reading/viewer.js';
import { foldForSearch } from '../../platform/text/fold.js';
import { UserSchema } from '../auth/entities/user.entity.js';
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

/** What was merged into another one is shown as that one, but for administrators and for who made it. */
const notMerged = sql<boolean>`s.merged_into_id is null`;
const notMergedOrOwn = (viewerId: number) => sql<boolean>`(${notMerged} or s.submitted_by_id = ${viewerId})`;

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

/** From 0 to 1: how much of a title must be found in a suggestion for it to count as like it. */
const ALIKE = 0.5;
const SIMILAR = 5;

/** Suggestions as they are shown. */
@Injectable()
export class SuggestionListService {
  constructor(private readonly em: EntityManager) {}

  /** A page of the board: most votes first, or the newest first. */
  async list(viewer: Viewer, asked: SuggestionQueryDto): Promise<Page<SuggestionDto>> {
    const { limit = LIST_LIMIT, cursor, sort = 'votes' } = asked;
    const board = () => this.matching(asked).where(notMergedOrOwn(viewer.userId));
    let rows = this.columns(board(), viewer.userId).limit(limit + 1);
    if (sort === 'votes') rows = rows.orderBy('s.vote_count', 'desc');
    rows = rows.orderBy('s.id', 'desc');
    if (cursor) rows = rows.where(after(cursor, sort));
    const total = await countOf(board());
    const found = (await rows.execute()).map((row) => this.shown(row, viewer));
    return pageOf(found, limit, total, ({ voteCount, id }) => (sort === 'votes' ? [voteCount, id] : [id]));
  }

  /** A page of the administrators' list, with addresses. */
  adminPage(viewer: Viewer, asked: AdminSuggestionQueryDto): Promise<AdminPage<AdminSuggestionDto>> {
    const rows = this.addressed({}, viewer);
    return adminPage(asked, sorting, { matching: this.matching(asked), rows, shown: (row) => this.shown(row, viewer) });
  }

  /** All of it, the newest first, read in batches. */
  all(viewer: Viewer, asked: Filter): AsyncGenerator<AdminSuggestionDto> {
    return newestFirst(this.addressed(asked, viewer), 's.id', (row) => this.shown(row, viewer));
  }

  /** Up to five whose words are like those of a title, the most alike first: so that one wish is not made twice. */
  async similar(viewer: Viewer, title: string): Promise<SuggestionDto[]> {
    const alike = sql<number>`word_similarity(${foldForSearch(title)}, s.search_key)`;
    const rows = this.columns(this.matching({}).where(notMerged), viewer.userId)
      .where(sql<boolean>`${alike} >= ${ALIKE}`)
      .orderBy(alike, 'desc')
      .orderBy('s.vote_count', 'desc')
      .orderBy('s.id', 'desc')
      .limit(SIMILAR);
    return (await rows.execute()).map((row) => this.shown(row, viewer));
  }

  /** @throws SUGGESTION_NOT_FOUND */
  async one(id: number, viewer: Viewer): Promise<SuggestionDto> {
    const row = await this.columns(this.matching({}), viewer.userId).where('s.id', '=', id).executeTakeFirst();
    if (!row) throw suggestionErrors.SUGGESTION_NOT_FOUND();
    return this.shown(row, viewer);
  }

  private matching({ status, category, q }: Filter) {
    let rows = query<Tables>(this.em).selectFrom('feature_suggestions as s');
    if (status) rows = rows.where('s.status', '=', status);
    if (category) rows = rows.where('s.category', '=', category);
    for (const word of foldForSearch(q ?? '')
      .split(/\s+/)
      .filter(Boolean)) {
      rows = rows.where('s.search_key', 'like', containing(word));
    }
    return rows;
  }

  private columns(rows: ReturnType<SuggestionListService['matching']>, viewerId: number) {
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

  private addressed(asked: Filter, { userId }: Viewer) {
    return this.columns(this.matching(asked), userId).select('u.email as submitterEmail');
  }

  private shown<R extends Read>(row: R, viewer: Viewer) {
    const { firstName, lastName, username, submittedById, intoId, intoTitle, intoVotes, ...suggestion } = row;
    const isOwn = submittedById === viewer.userId;
    const mergedInto = intoId === null ? null : { id: intoId, title: intoTitle!, voteCount: intoVotes! };
    const name = [firstName, lastName === '.' ? '' : lastName].filter(Boolean).join(' ');
    return {
      ...suggestion,
      submitterName: name || username,
      isOwn,
      mergedInto,
      can: suggestionAbilities(viewer, { status: row.status, isOwn, isMerged: mergedInto !== null }),
    };
  }
}

type Read = Awaited<ReturnType<ReturnType<SuggestionListService['columns']>['execute']>>[number];

/** Where the page before ended. */
function after(cursor: string, sort: 'votes' | 'newest') {
  if (sort === 'newest') {
    const [id] = decodeCursor(cursor, ['bigint']);
    return sql<boolean>`s.id < ${id}::bigint`;
  }
  return sql<boolean>`(s.vote_count, s.id) < ${cursorTuple(cursor, ['int', 'bigint'])}`;
}
