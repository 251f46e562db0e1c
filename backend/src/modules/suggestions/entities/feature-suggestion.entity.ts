import { defineEntity, p } from '@mikro-orm/core';
import { User } from '../../auth/entities/user.entity.js';

export const suggestionCategories = ['feature', 'bug', 'improvement'] as const;
export type SuggestionCategory = (typeof suggestionCategories)[number];

export const suggestionStatuses = ['pending', 'approved', 'rejected', 'in-progress', 'completed'] as const;
export type SuggestionStatus = (typeof suggestionStatuses)[number];

export const suggestionPriorities = ['low', 'medium', 'high'] as const;
export type SuggestionPriority = (typeof suggestionPriorities)[number];

const oneOf = (column: string, values: readonly string[]) => ({
  name: `feature_suggestions_${column}_check`,
  expression: `${column} in (${values.map((value) => `'${value}'`).join(', ')})`,
});

/** What somebody wishes of the product. `voteCount` changes with the rows of `feature_votes`, in one transaction. */
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
  ],
  checks: [
    oneOf('category', suggestionCategories),
    oneOf('status', suggestionStatuses),
    oneOf('priority', suggestionPriorities),
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
    /** null once the person has deleted the account. */
    submittedById: () =>
      p
        .manyToOne(User)
        .mapToPk()
        .nullable()
        .fieldName('submitted_by_id')
        .deleteRule('set null')
        .foreignKeyName('feature_suggestions_submitted_by_id_foreign'),
    /** Who approved it last; null while it is not approved. */
    approvedById: () =>
      p
        .manyToOne(User)
        .mapToPk()
        .nullable()
        .fieldName('approved_by_id')
        .deleteRule('set null')
        .foreignKeyName('feature_suggestions_approved_by_id_foreign'),
    adminNotes: p.string().length(500).nullable(),
    estimatedHours: p.smallint().nullable(),
    targetVersion: p.string().length(20).nullable(),
    voteCount: p.integer().default(0),
    /** Title and description in the form in which they are searched. */
    searchKey: p.text(),
    createdAt: p.datetime(),
    updatedAt: p.datetime(),
  },
});
export class FeatureSuggestion extends FeatureSuggestionSchema.class {}
FeatureSuggestionSchema.setClass(FeatureSuggestion);
