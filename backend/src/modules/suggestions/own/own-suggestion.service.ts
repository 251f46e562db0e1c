import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditService } from '../../../platform/audit/audit.service.js';
import { Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { normaliseForSearch } from '../../../platform/text/normalise-for-search.js';
import { FeatureSuggestionSchema } from '../entities/feature-suggestion.entity.js';
import type { SuggestionDto, SuggestionWordsDto } from '../dto/suggestion.dto.js';
import { getEditRefusal } from '../suggestion.policy.js';
import { SuggestionListService } from '../suggestion-list.service.js';
import { suggestionErrors } from '../suggestions.errors.js';
import { deleteSuggestion } from '../suggestion-votes.js';

type Tables = typeof FeatureSuggestionSchema;

/** Actions of users on their own suggestions while these are pending. */
@Injectable()
export class OwnSuggestionService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly audit: AuditService,
    private readonly list: SuggestionListService,
  ) {}

  /**
   * Changes the given texts. Votes stay.
   * @throws SUGGESTION_NOT_FOUND, SUGGESTION_OF_ANOTHER, SUGGESTION_MERGED, SUGGESTION_NOT_PENDING
   */
  async updateWording(id: number, changes: SuggestionWordsDto, viewer: Viewer): Promise<SuggestionDto> {
    await inTransaction(this.em, async (em) => {
      const { title, description } = await this.lockEditable(em, id, viewer.userId);
      const updated = { title, description, ...definedFields(changes) };
      await query<Tables>(em)
        .updateTable('feature_suggestions')
        .set({
          ...updated,
          search_key: normaliseForSearch(`${updated.title} ${updated.description}`),
          updated_at: this.clock.now(),
        })
        .where('id', '=', id)
        .execute();
    });
    return this.list.findOne(id, viewer);
  }

  /**
   * Deletes a suggestion with its votes. Suggestions merged into it become separate again.
   * @throws SUGGESTION_NOT_FOUND, SUGGESTION_OF_ANOTHER, SUGGESTION_MERGED, SUGGESTION_NOT_PENDING
   */
  withdrawSuggestion(id: number, userId: number): Promise<void> {
    return inTransaction(this.em, async (em) => {
      await this.lockEditable(em, id, userId);
      await deleteSuggestion(em, id);
      await this.audit.record(em, { type: 'suggestion.deleted', actorId: userId, params: { suggestionId: id } });
    });
  }

  /** Returns the suggestion, locked until the commit, which serialises this with an administrator's changes. */
  private async lockEditable(em: EntityManager, id: number, userId: number) {
    const row = await query<Tables>(em)
      .selectFrom('feature_suggestions')
      .select(['title', 'description', 'status', 'submitted_by_id as submittedById', 'merged_into_id as mergedIntoId'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!row) throw suggestionErrors.SUGGESTION_NOT_FOUND();
    const isOwn = row.submittedById === userId;
    const refusal = getEditRefusal({ status: row.status, isOwn, isMerged: row.mergedIntoId !== null });
    if (refusal === 'of-another') throw suggestionErrors.SUGGESTION_OF_ANOTHER();
    if (refusal === 'merged') throw suggestionErrors.SUGGESTION_MERGED();
    if (refusal === 'not-pending') throw suggestionErrors.SUGGESTION_NOT_PENDING();
    return row;
  }
}

function definedFields(changes: SuggestionWordsDto): Partial<SuggestionWordsDto> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}
