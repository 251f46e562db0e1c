import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { FeatureSuggestionSchema } from './entities/feature-suggestion.entity.js';
import { FeatureVoteSchema } from './entities/feature-vote.entity.js';
import { suggestionErrors } from './suggestions.errors.js';

type Tables = typeof FeatureSuggestionSchema | typeof FeatureVoteSchema;

/** Votes: a row each, and the count beside the suggestion that changes only when a row does. */
@Injectable()
export class VoteService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /**
   * Votes for a suggestion; a second vote of the same person changes nothing.
   * @throws SUGGESTION_NOT_FOUND
   */
  add(suggestionId: number, userId: number): Promise<void> {
    return this.change(suggestionId, 1, async (em) => {
      const made = await query<Tables>(em)
        .insertInto('feature_votes')
        .values({ suggestion_id: suggestionId, user_id: userId, created_at: this.clock.now() })
        .onConflict((conflict) => conflict.columns(['suggestion_id', 'user_id']).doNothing())
        .returning('id')
        .executeTakeFirst();
      return made !== undefined;
    });
  }

  /**
   * Takes a vote back; without one nothing changes.
   * @throws SUGGESTION_NOT_FOUND
   */
  remove(suggestionId: number, userId: number): Promise<void> {
    return this.change(suggestionId, -1, async (em) => {
      const gone = await query<Tables>(em)
        .deleteFrom('feature_votes')
        .where('suggestion_id', '=', suggestionId)
        .where('user_id', '=', userId)
        .executeTakeFirst();
      return gone.numDeletedRows > 0n;
    });
  }

  /** Takes back every vote of somebody who leaves, in the caller's transaction. */
  async removeAllOf(em: EntityManager, userId: number): Promise<void> {
    // In the order of the suggestions, so that two who leave at once wait for each other and do not deadlock.
    await sql`
      with locked as (
        select s.id from feature_suggestions s join feature_votes v on v.suggestion_id = s.id
        where v.user_id = ${userId} order by s.id for update of s
      ), gone as (
        delete from feature_votes where user_id = ${userId} and suggestion_id in (select id from locked)
        returning suggestion_id
      )
      update feature_suggestions set vote_count = vote_count - 1
      where id in (select suggestion_id from gone)`.execute(query<Tables>(em));
  }

  /** The suggestion is locked first: votes of one suggestion come one after the other, and so does its deletion. */
  private change(suggestionId: number, by: 1 | -1, work: (em: EntityManager) => Promise<boolean>): Promise<void> {
    return inTransaction(this.em, async (em) => {
      const found = await query<Tables>(em)
        .selectFrom('feature_suggestions')
        .select('id')
        .where('id', '=', suggestionId)
        .forNoKeyUpdate()
        .executeTakeFirst();
      if (!found) throw suggestionErrors.SUGGESTION_NOT_FOUND();
      if (!(await work(em))) return;
      await query<Tables>(em)
        .updateTable('feature_suggestions')
        .set({ vote_count: sql<number>`vote_count + ${by}` })
        .where('id', '=', suggestionId)
        .execute();
    });
  }
}
