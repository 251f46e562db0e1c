import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { FeatureSuggestionSchema } from './entities/feature-suggestion.entity.js';
import { FeatureVoteSchema } from './entities/feature-vote.entity.js';
import { mergeGroupSql, recountVotes } from './suggestion-votes.js';
import { canReceiveVotes } from './suggestion.policy.js';
import { suggestionErrors } from './suggestions.errors.js';

type Tables = typeof FeatureSuggestionSchema | typeof FeatureVoteSchema;

/** Votes: one row each, and a count on the suggestion that changes only together with the rows. */
@Injectable()
export class VoteService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * Votes for a suggestion. Does nothing if the user has already voted for it or for one merged into it.
   * @throws SUGGESTION_NOT_FOUND, SUGGESTION_REJECTED, SUGGESTION_MERGED
   */
  addVote(suggestionId: number, userId: number): Promise<void> {
    return inTransaction(this.em, async (em) => {
      const { status } = await this.lockSuggestion(em, suggestionId);
      if (!canReceiveVotes(status)) throw suggestionErrors.SUGGESTION_REJECTED();
      const { numAffectedRows } = await sql`
        insert into feature_votes (suggestion_id, user_id, created_at)
        select ${suggestionId}::bigint, ${userId}::bigint, ${this.clock.now()}::timestamptz
        where not exists (
          select from feature_votes where user_id = ${userId} and suggestion_id in ${mergeGroupSql(suggestionId)})
        on conflict do nothing`.execute(query<Tables>(em));
      if (numAffectedRows) await this.adjustVoteCount(em, suggestionId, 1);
    });
  }

  /**
   * Withdraws a vote, also one for a suggestion merged into this one. Does nothing without a vote.
   * @throws SUGGESTION_NOT_FOUND, SUGGESTION_MERGED
   */
  removeVote(suggestionId: number, userId: number): Promise<void> {
    return inTransaction(this.em, async (em) => {
      await this.lockSuggestion(em, suggestionId);
      const deleted = await query<Tables>(em)
        .deleteFrom('feature_votes')
        .where('user_id', '=', userId)
        .where('suggestion_id', 'in', mergeGroupSql(suggestionId))
        .executeTakeFirst();
      if (deleted.numDeletedRows > 0n) await this.adjustVoteCount(em, suggestionId, -1);
    });
  }

  /** Withdraws all votes of a user who deletes their account, in the caller's transaction. */
  async removeAllVotesOf(em: EntityManager, userId: number): Promise<void> {
    // Ordered by suggestion, to prevent deadlocks between concurrent deletions.
    const { rows } = await sql<{ id: number }>`
      select s.id from feature_suggestions s
      where s.id in (
        select unnest(array[v.suggestion_id, g.merged_into_id]) from feature_votes v
        join feature_suggestions g on g.id = v.suggestion_id where v.user_id = ${userId})
      order by s.id for no key update`.execute(query<Tables>(em));
    await query<Tables>(em).deleteFrom('feature_votes').where('user_id', '=', userId).execute();
    await recountVotes(
      em,
      rows.map(({ id }) => Number(id)),
    );
  }

  /** Locks the suggestion first, which serialises its votes, deletion and merges. */
  private async lockSuggestion(em: EntityManager, id: number) {
    const found = await query<Tables>(em)
      .selectFrom('feature_suggestions')
      .select(['status', 'merged_into_id as mergedIntoId'])
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (!found) throw suggestionErrors.SUGGESTION_NOT_FOUND();
    if (found.mergedIntoId !== null) throw suggestionErrors.SUGGESTION_MERGED();
    return found;
  }

  private async adjustVoteCount(em: EntityManager, id: number, by: 1 | -1): Promise<void> {
    await query<Tables>(em)
      .updateTable('feature_suggestions')
      .set({ vote_count: sql<number>`vote_count + ${by}` })
      .where('id', '=', id)
      .execute();
  }
}
