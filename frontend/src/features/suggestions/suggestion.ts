import type { Schema } from '../../shared/api/client';
import type { BadgeTone } from '../../shared/ui/badge';

export type Suggestion = Schema<'SuggestionDto'>;
export type SuggestionStatus = Suggestion['status'];
export type Category = Suggestion['category'];
export type Priority = Suggestion['priority'];

export const statuses: readonly SuggestionStatus[] = ['pending', 'approved', 'rejected', 'in-progress', 'completed'];
export const categories: readonly Category[] = ['feature', 'improvement', 'bug'];
export const priorities: readonly Priority[] = ['low', 'medium', 'high'];
export const sorts = ['votes', 'newest'] as const;
export type Sort = (typeof sorts)[number];

/** Length limits enforced by the server. */
export const fieldLimits = {
  title: { least: 5, most: 100 },
  description: { least: 20, most: 1000 },
  notes: 500,
  hours: { least: 1, most: 200 },
  version: 20,
} as const;

export const toneByStatus: Record<SuggestionStatus, BadgeTone> = {
  pending: 'neutral',
  approved: 'success',
  rejected: 'danger',
  'in-progress': 'warning',
  completed: 'accent',
};

/** Query key of the suggestion lists, for all filters. */
export const suggestionsKey = ['get', '/api/feature-suggestions'];
/** Query key of suggestions similar to a title being typed. */
export const similarKey = ['get', '/api/feature-suggestions/similar'] as const;
