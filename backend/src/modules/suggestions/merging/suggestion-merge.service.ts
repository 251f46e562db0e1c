import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditRepository } from '../../../platform/audit/audit.repository.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { fieldError } from '../../../platform/http/parsing/validation.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import type { SuggestionDto } from '../dto/suggestion.dto.js';
import { SuggestionListService } from '../suggestion-list.service.js';
import type { ActingAdmin } from '../suggestion.service.js';
import { SuggestionRepository } from '../suggestion.repository.js';
import { suggestionErrors } from '../suggestions.errors.js';
import { notifySuggestionMerged } from '../suggestions.jobs.js';

/**
 * Merges a suggestion into a duplicate. Its votes stay in their own rows, and the other one counts the users of both
 * once. So a merge can be undone with the original votes.
 */
@Injectable()
export class SuggestionMergeService {
  constructor(
    private readonly em: EntityManager,
    private readonly suggestions: SuggestionRepository,
    private readonly list: SuggestionListService,
    private readonly jobs: JobsService,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * Merges a suggestion into another one. The submitter and the voters are notified by email.
   * @throws SUGGESTION_NOT_FOUND; VALIDATION_FAILED for merging it into itself; SUGGESTION_MERGED if one of the two is
   * already merged; SUGGESTION_HAS_MERGED if others were merged into it
   */
  async mergeSuggestion(id: number, intoId: number, { viewer, ipAddress }: ActingAdmin): Promise<SuggestionDto> {
    if (id === intoId) throw fieldError('intoId', mergedIntoItself);
    await inTransaction(this.em, async (em) => {
      const locked = [...(await this.suggestions.lockSuggestions(em, [id, intoId])).values()];
      if (locked.length < 2) throw suggestionErrors.SUGGESTION_NOT_FOUND();
      if (locked.some(({ mergedIntoId }) => mergedIntoId !== null)) throw suggestionErrors.SUGGESTION_MERGED();
      if (await this.suggestions.hasMerged(em, id)) throw suggestionErrors.SUGGESTION_HAS_MERGED();
      await this.suggestions.setMergedInto(em, id, intoId);
      await this.suggestions.recountVotes(em, [intoId]);
      await this.recordAndNotify(em, 'suggestion.merged', { id, intoId }, { viewer, ipAddress });
    });
    return this.list.findOne(id, viewer);
  }

  /**
   * Undoes a merge: each suggestion has its own votes again, except those withdrawn since.
   * @throws SUGGESTION_NOT_FOUND, SUGGESTION_NOT_MERGED
   */
  async unmergeSuggestion(id: number, { viewer, ipAddress }: ActingAdmin): Promise<SuggestionDto> {
    const { mergedInto } = await this.list.findOne(id, viewer);
    if (!mergedInto) throw suggestionErrors.SUGGESTION_NOT_MERGED();
    await inTransaction(this.em, async (em) => {
      const locked = await this.suggestions.lockSuggestions(em, [id, mergedInto.id]);
      if (locked.get(id)?.mergedIntoId !== mergedInto.id) throw suggestionErrors.SUGGESTION_NOT_MERGED();
      await this.suggestions.setMergedInto(em, id, null);
      await this.suggestions.recountVotes(em, [id, mergedInto.id]);
      await this.recordAndNotify(em, 'suggestion.unmerged', { id, intoId: mergedInto.id }, { viewer, ipAddress });
    });
    return this.list.findOne(id, viewer);
  }

  private async recordAndNotify(
    em: EntityManager,
    type: 'suggestion.merged' | 'suggestion.unmerged',
    { id, intoId }: { id: number; intoId: number },
    { viewer, ipAddress }: ActingAdmin,
  ): Promise<void> {
    const params = { suggestionId: id, intoId };
    await this.audit.record(em, { type, actorId: viewer.userId, ipAddress, params });
    const payload = { suggestionId: id, intoId, isUndone: type === 'suggestion.unmerged', actorId: viewer.userId };
    await this.jobs.enqueue(em, notifySuggestionMerged, { ...payload, after: 0 });
  }
}

const mergedIntoItself = {
  en: "A suggestion can't be merged into itself.",
  tr: 'Bir öneri kendisiyle birleştirilemez.',
};
