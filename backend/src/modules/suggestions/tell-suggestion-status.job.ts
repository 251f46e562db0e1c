import { defineJob } from '../../platform/jobs/job-definition.js';
import type { SuggestionStatus } from './entities/feature-suggestion.entity.js';

export interface SuggestionNews {
  readonly suggestionId: number;
  /** The status to tell of. */
  readonly status: SuggestionStatus;
}

/** Tells the submitter of a suggestion what has become of it. */
export const tellSuggestionStatus = defineJob<SuggestionNews>('suggestions.tell-status', { queue: 'mail' });
