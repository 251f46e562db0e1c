import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { query } from '../../platform/database/query.js';
import { inTransaction } from '../../platform/database/transaction.js';
import {
  inBatches,
  PersonalDataPort,
  type ErasureState,
  type Person,
  type PersonalData,
  type Rows,
} from '../auth/personal-data.port.js';
import { FeatureSuggestionSchema } from './entities/feature-suggestion.entity.js';
import { FeatureVoteSchema } from './entities/feature-vote.entity.js';
import { VoteService } from './vote.service.js';

type Tables = typeof FeatureSuggestionSchema | typeof FeatureVoteSchema;

/**
 * What people suggested and voted for. Suggestions that nobody else supports and nobody has taken up go with the
 * account; the others stay without a name, because they have become the wish of others.
 */
@Injectable()
export class SuggestionsPersonalData implements PersonalData, OnModuleInit {
  constructor(
    private readonly em: EntityManager,
    private readonly port: PersonalDataPort,
    private readonly votes: VoteService,
  ) {}

  onModuleInit(): void {
    this.port.register(this);
  }

  sections(em: EntityManager, { id }: Person): Record<string, Rows> {
    return { featureSuggestions: suggestions(em, id), featureVotes: votes(em, id) };
  }

  async erase({ id }: Person): Promise<ErasureState> {
    await inTransaction(this.em.fork(), async (em) => {
      await this.votes.removeAllOf(em, id);
      await query<Tables>(em)
        .deleteFrom('feature_suggestions')
        .where('submitted_by_id', '=', id)
        .where('vote_count', '=', 0)
        .where('status', '=', 'pending')
        .execute();
      await query<Tables>(em)
        .updateTable('feature_suggestions')
        .set({ submitted_by_id: null })
        .where('submitted_by_id', '=', id)
        .execute();
    });
    return 'done';
  }
}

const suggestions = (em: EntityManager, userId: number) =>
  inBatches((last: { id: number } | null, limit) =>
    query<Tables>(em)
      .selectFrom('feature_suggestions')
      .select(['id', 'title', 'description', 'category', 'status', 'created_at as createdAt'])
      .where('submitted_by_id', '=', userId)
      .where('id', '>', last?.id ?? 0)
      .orderBy('id')
      .limit(limit)
      .execute(),
  );

const votes = (em: EntityManager, userId: number) =>
  inBatches((last: { id: number } | null, limit) =>
    query<Tables>(em)
      .selectFrom('feature_votes')
      .select(['id', 'suggestion_id as suggestionId', 'created_at as createdAt'])
      .where('user_id', '=', userId)
      .where('id', '>', last?.id ?? 0)
      .orderBy('id')
      .limit(limit)
      .execute(),
  );
