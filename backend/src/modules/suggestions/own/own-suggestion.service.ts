import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditRepository } from '../../../platform/audit/audit.repository.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import type { SuggestionDto, SuggestionWordsDto } from '../dto/suggestion.dto.js';
import { getEditRejection } from '../suggestion.policy.js';
import { SuggestionListService } from '../suggestion-list.service.js';
import { SuggestionRepository, type LockedSuggestion } from '../suggestion.repository.js';
import { suggestionErrors } from '../suggestions.errors.js';

/** Actions of users on their own suggestions while these are pending. */
@Injectable()
export class OwnSuggestionService {
  constructor(
    private readonly em: EntityManager,
    private readonly suggestions: SuggestionRepository,
    private readonly audit: AuditRepository,
    private readonly list: SuggestionListService,
  ) {}

  /**
   * Changes the given texts. Votes stay.
   * @throws SUGGESTION_NOT_FOUND, SUGGESTION_OF_ANOTHER, SUGGESTION_MERGED, SUGGESTION_NOT_PENDING
   */
  async updateWording(id: number, changes: SuggestionWordsDto, viewer: Viewer): Promise<SuggestionDto> {
    await inTransaction(this.em, async (em) => {
      const { title, description } = await this.lockEditable(em, id, viewer.userId);
      await this.suggestions.updateSuggestion(em, id, {
        title: changes.title ?? title,
        description: changes.description ?? description,
        category: changes.category,
      });
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
      await this.suggestions.deleteSuggestion(em, id);
      await this.audit.record(em, { type: 'suggestion.deleted', actorId: userId, params: { suggestionId: id } });
    });
  }

  private async lockEditable(em: EntityManager, id: number, userId: number): Promise<LockedSuggestion> {
    const suggestion = await this.suggestions.lockSuggestion(em, id);
    if (!suggestion) throw suggestionErrors.SUGGESTION_NOT_FOUND();
    const { status, submittedById, mergedIntoId } = suggestion;
    const rejection = getEditRejection({ status, isOwn: submittedById === userId, isMerged: mergedIntoId !== null });
    if (rejection === 'of-another') throw suggestionErrors.SUGGESTION_OF_ANOTHER();
    if (rejection === 'merged') throw suggestionErrors.SUGGESTION_MERGED();
    if (rejection === 'not-pending') throw suggestionErrors.SUGGESTION_NOT_PENDING();
    return suggestion;
  }
}
