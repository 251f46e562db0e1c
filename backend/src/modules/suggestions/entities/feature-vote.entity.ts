import { defineEntity, p } from '@mikro-orm/core';
import { belongsTo } from '../../../platform/database/foreign-key.js';
import { User } from '../../auth/entities/user.entity.js';
import { FeatureSuggestion } from './feature-suggestion.entity.js';

/** A user's vote for a suggestion; the constraint allows only one. */
export const FeatureVoteSchema = defineEntity({
  name: 'FeatureVote',
  tableName: 'feature_votes',
  uniques: [{ name: 'feature_votes_suggestion_id_user_id_unique', properties: ['suggestionId', 'userId'] }],
  indexes: [{ name: 'feature_votes_user_id_index', properties: ['userId'] }],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    suggestionId: () => belongsTo(FeatureSuggestion, 'feature_votes', 'suggestion_id'),
    userId: () => belongsTo(User, 'feature_votes', 'user_id'),
    createdAt: p.datetime(),
  },
});
export class FeatureVote extends FeatureVoteSchema.class {}
FeatureVoteSchema.setClass(FeatureVote);
