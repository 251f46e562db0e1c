import { defineEntity, p } from '@mikro-orm/core';
import { refersTo } from '../../../platform/database/foreign-key.js';
import { User } from '../../auth/entities/user.entity.js';
import { freezeList } from '../../../platform/constants/freeze-list.js';

export const suggestionCategories = freezeList(['feature', 'bug', 'improvement']);
export type SuggestionCategory = (typeof suggestionCategories)[number];

export const suggestionStatuses = freezeList(['pending', 'approved', 'rejected', 'in-progress', 'completed']);
export type SuggestionStatus = (typeof suggestionStatuses)[number];

export const suggestionPriorities = freezeList(['low', 'medium', 'high']);
export type SuggestionPriority = (typeof suggestionPriorities)[number];

const oneOfCheck = (column: string, values: readonly string[]) => ({
  name: `feature_suggestions_${column}_check`,
  expression: `${column} in (${values.map((value) => `'${value}'`).join(', ')})`,
});

/**
 * A user's suggestion for the product. `voteCount` is updated in the same transaction as the rows of `feature_votes`.
 * It counts each user once who voted for the suggestion or one merged into it. For a merged suggestion it stays as it
 * was at the merge.
 */
export const FeatureSuggestionSchema = defineEntity({
  name: 'FeatureSuggestion',
  tableName: 'feature_suggestions',
  indexes: [
    { name: 'feature_suggestions_votes_index', properties: ['voteCount', 'id'] },
    { name: 'feature_suggestions_status_votes_index', properties: ['status', 'voteCount', 'id'] },
    {
      name: 'feature_suggestions_search_key_trigram_index',
      expression:
        'create index "feature_suggestions_search_key_trigram_index" on "feature_suggestions" using gin ("search_key" gin_trgm_ops)',
    },
    { name: 'feature_suggestions_submitted_by_id_index', properties: ['submittedById'] },
    { name: 'feature_suggestions_approved_by_id_index', properties: ['approvedById'] },
    { name: 'feature_suggestions_merged_into_id_index', properties: ['mergedIntoId'] },
  ],
  checks: [
    oneOfCheck('category', suggestionCategories),
    oneOfCheck('status', suggestionStatuses),
    oneOfCheck('priority', suggestionPriorities),
    { name: 'feature_suggestions_merged_check', expression: 'merged_into_id <> id' },
    {
      name: 'feature_suggestions_counts_check',
      expression: 'vote_count >= 0 and estimated_hours >= 1 and estimated_hours <= 200',
    },
  ],
  properties: {
    id: p.bigint('number').primary().autoincrement(),
    title: p.string().length(100),
    description: p.string().length(1000),
    category: p.string().$type<SuggestionCategory>().length(20).default('feature'),
    status: p.string().$type<SuggestionStatus>().length(20).default('pending'),
    priority: p.string().$type<SuggestionPriority>().length(10).default('medium'),
    /** null once the user has deleted their account. */
    submittedById: () => refersTo(User, 'feature_suggestions', 'submitted_by_id'),
    /** Who approved it last; null while it is not approved. */
    approvedById: () => refersTo(User, 'feature_suggestions', 'approved_by_id'),
    /** The duplicate that it was merged into, which also counts its votes. That one can't itself be merged. */
    mergedIntoId: () => refersTo(FeatureSuggestion, 'feature_suggestions', 'merged_into_id').updateRule('no action'),
    adminNotes: p.string().length(500).nullable(),
    estimatedHours: p.smallint().nullable(),
    targetVersion: p.string().length(20).nullable(),
    voteCount: p.integer().default(0),
    /** Title and description, normalised for search. */
    searchKey: p.text(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});
export class FeatureSuggestion extends FeatureSuggestionSchema.class {}
FeatureSuggestionSchema.setClass(FeatureSuggestion);
