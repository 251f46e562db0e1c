import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql, type SelectQueryBuilder } from 'kysely';
import { query } from '../../platform/database/query.js';
import { containing, type AdminPage } from '../../platform/http/admin-list.js';
import { adminPage, newestFirst } from '../../platform/http/admin-page.js';
import { cursorTuple, decodeCursor } from '../../platform/http/cursor.js';
import { LIST_LIMIT, pageOf, type Page } from '../../platform/http/list.js';
import type { Viewer } from '../../platform/http/viewer.js';
import { foldForSearch } from '../../platform/text/fold.js';
import { UserSchema } from '../auth/entities/user.entity.js';
import type {
  AdminSuggestionDto,
  AdminSuggestionQueryDto,
  SuggestionDto,
  SuggestionQueryDto,
} from './dto/suggestion.dto.js';
import { FeatureSuggestionSchema } from './entities/feature-suggestion.entity.js';
import { FeatureVoteSchema } from './entities/feature-vote.entity.js';
import { suggestionAbilities } from './suggestion.policy.js';
import { suggestionErrors } from './suggestions.errors.js';

type Tables = typeof FeatureSuggestionSchema | typeof FeatureVoteSchema | typeof UserSchema;
type Filter = Pick<SuggestionQueryDto, 'status' | 'category' | 'q'>;

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

/** Suggestions as they are shown. */
@Injectable()
export class SuggestionListService {
  constructor(private readonly em: EntityManager) {}

  /** A page of the board: most votes first, or the newest first. */
  async list(viewer: Viewer, asked: SuggestionQueryDto): Promise<Page<SuggestionDto>> {
    const { limit = LIST_LIMIT, cursor, sort = 'votes' } = asked;
    let rows = this.columns(this.matching(asked), viewer.userId).limit(limit + 1);
    if (sort === 'votes') rows = rows.orderBy('s.vote_count', 'desc');
    rows = rows.orderBy('s.id', 'desc');
    if (cursor) rows = rows.where(after(cursor, sort));
    const total = await this.count(asked);
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
      .leftJoin('feature_votes as v', (join) =>
        join.onRef('v.suggestion_id', '=', 's.id').on('v.user_id', '=', viewerId),
      )
      .select(['s.id as id', 's.title as title', 's.description as description', 's.category as category'])
      .select(['s.status as status', 's.priority as priority', 's.vote_count as voteCount'])
      .select(['s.admin_notes as adminNotes', 's.estimated_hours as estimatedHours'])
      .select(['s.target_version as targetVersion', 's.created_at as createdAt', 's.updated_at as updatedAt'])
      .select(['s.submitted_by_id as submittedById', 'u.username as username'])
      .select(['u.first_name as firstName', 'u.last_name as lastName'])
      .select(sql<boolean>`v.id is not null`.as('userVoted'));
  }

  private addressed(asked: Filter, { userId }: Viewer) {
    return this.columns(this.matching(asked), userId).select('u.email as submitterEmail');
  }

  private async count(asked: Filter): Promise<number> {
    const rows: SelectQueryBuilder<never, never, { total: number }> = this.matching(asked).select(
      sql<number>`count(*)`.as('total'),
    ) as never;
    return Number((await rows.executeTakeFirstOrThrow()).total);
  }

  private shown<R extends Read>(row: R, viewer: Viewer) {
    const { firstName, lastName, username, submittedById, ...suggestion } = row;
    const name = [firstName, lastName === '.' ? '' : lastName].filter(Boolean).join(' ');
    return {
      ...suggestion,
      submitterName: name || username,
      isOwn: submittedById === viewer.userId,
      can: suggestionAbilities(viewer),
    };
  }
}

interface Read {
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly username: string | null;
  readonly submittedById: number | null;
}

/** Where the page before ended. */
function after(cursor: string, sort: 'votes' | 'newest') {
  if (sort === 'newest') {
    const [id] = decodeCursor(cursor, ['bigint']);
    return sql<boolean>`s.id < ${id}::bigint`;
  }
  return sql<boolean>`(s.vote_count, s.id) < ${cursorTuple(cursor, ['int', 'bigint'])}`;
}
