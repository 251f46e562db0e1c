import { Injectable } from '@nestjs/common';
import type { AdminPage } from '../../platform/http/lists/admin-list.js';
import { LIST_LIMIT, toPage, type Page } from '../../platform/http/lists/list.js';
import type { Viewer } from '../../platform/http/parsing/viewer.js';
import { fullName } from '../auth/entities/user.entity.js';
import type {
  AdminSuggestionDto,
  AdminSuggestionQueryDto,
  SuggestionDto,
  SuggestionQueryDto,
} from './dto/suggestion.dto.js';
import { suggestionAbilities } from './suggestion.policy.js';
import { SuggestionRepository, type SuggestionFilter, type SuggestionRow } from './suggestion.repository.js';
import { suggestionErrors } from './suggestions.errors.js';

const MAX_SIMILAR = 5;

/** Lists suggestions with what the viewer may do with each. */
@Injectable()
export class SuggestionListService {
  constructor(private readonly suggestions: SuggestionRepository) {}

  /** Returns a page of the board, sorted by votes or newest first. */
  async listBoard(viewer: Viewer, params: SuggestionQueryDto): Promise<Page<SuggestionDto>> {
    const { limit = LIST_LIMIT, sort = 'votes' } = params;
    const { rows, total } = await this.suggestions.findBoard(viewer.userId, params, limit + 1);
    const found = rows.map((row) => toDto(row, viewer));
    return toPage(found, limit, total, ({ voteCount, id }) => (sort === 'votes' ? [voteCount, id] : [id]));
  }

  /** Returns a page of the administrators' list, with email addresses. */
  async listForAdmin(viewer: Viewer, params: AdminSuggestionQueryDto): Promise<AdminPage<AdminSuggestionDto>> {
    const { rows, total } = await this.suggestions.findAdminPage(viewer.userId, params);
    return { rows: rows.map((row) => toDto(row, viewer)), total };
  }

  /** Streams all matching suggestions, newest first. */
  async *streamAll(viewer: Viewer, filter: SuggestionFilter): AsyncGenerator<AdminSuggestionDto> {
    for await (const row of this.suggestions.streamAll(viewer.userId, filter)) yield toDto(row, viewer);
  }

  /** Returns up to five suggestions similar to a title, the most similar first. */
  async findSimilar(viewer: Viewer, title: string): Promise<SuggestionDto[]> {
    const rows = await this.suggestions.findSimilar(viewer.userId, title, MAX_SIMILAR);
    return rows.map((row) => toDto(row, viewer));
  }

  /** @throws SUGGESTION_NOT_FOUND */
  async findOne(id: number, viewer: Viewer): Promise<SuggestionDto> {
    const row = await this.suggestions.findSuggestion(id, viewer.userId);
    if (!row) throw suggestionErrors.SUGGESTION_NOT_FOUND();
    return toDto(row, viewer);
  }
}

function toDto<R extends SuggestionRow>(row: R, viewer: Viewer) {
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
