import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { inTransaction } from '../../platform/database/transaction.js';
import { SuggestionRepository, type LockedSuggestion } from './suggestion.repository.js';
import { canReceiveVotes } from './suggestion.policy.js';
import { suggestionErrors } from './suggestions.errors.js';

/** Votes for suggestions. */
@Injectable()
export class VoteService {
  constructor(
    private readonly em: EntityManager,
    private readonly suggestions: SuggestionRepository,
  ) {}

  /**
   * Votes for a suggestion. Does nothing if the user has already voted for it or for one merged into it.
   * @throws SUGGESTION_NOT_FOUND, SUGGESTION_REJECTED, SUGGESTION_MERGED
   */
  addVote(suggestionId: number, userId: number): Promise<void> {
    return inTransaction(this.em, async (em) => {
      const { status } = await this.lockUnmerged(em, suggestionId);
      if (!canReceiveVotes(status)) throw suggestionErrors.SUGGESTION_REJECTED();
      await this.suggestions.insertVote(em, suggestionId, userId);
    });
  }

  /**
   * Withdraws a vote, also one for a suggestion merged into this one. Does nothing without a vote.
   * @throws SUGGESTION_NOT_FOUND, SUGGESTION_MERGED
   */
  removeVote(suggestionId: number, userId: number): Promise<void> {
    return inTransaction(this.em, async (em) => {
      await this.lockUnmerged(em, suggestionId);
      await this.suggestions.deleteVote(em, suggestionId, userId);
    });
  }

  /** Withdraws all votes of a user who deletes their account, in the caller's transaction. */
  removeAllVotesOf(em: EntityManager, userId: number): Promise<void> {
    return this.suggestions.deleteVotesOf(em, userId);
  }

  private async lockUnmerged(em: EntityManager, id: number): Promise<LockedSuggestion> {
    const suggestion = await this.suggestions.lockSuggestion(em, id);
    if (!suggestion) throw suggestionErrors.SUGGESTION_NOT_FOUND();
    if (suggestion.mergedIntoId !== null) throw suggestionErrors.SUGGESTION_MERGED();
    return suggestion;
  }
}
