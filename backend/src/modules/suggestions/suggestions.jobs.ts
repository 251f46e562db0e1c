import { defineJob } from '../../platform/jobs/job-definition.js';
import type { SuggestionStatus } from './entities/feature-suggestion.entity.js';

export interface MergeNotification {
  readonly suggestionId: number;
  readonly intoId: number;
  /** Whether the merging was undone. */
  readonly isUndone: boolean;
  /** The administrator, who knows already. */
  readonly actorId: number;
  /** The person before the first to be told by this job: each tells some, and asks for the next. */
  readonly after: number;
}

/** Tells who made or voted for a suggestion that it was merged into another one, or that this was undone. */
export const notifySuggestionMerged = defineJob<MergeNotification>('suggestions.tell-merged', { queue: 'mail' });

export interface StatusNotification {
  readonly suggestionId: number;
  /** The status to tell of. */
  readonly status: SuggestionStatus;
}

/** Tells the submitter of a suggestion what has become of it. */
export const notifySuggestionStatus = defineJob<StatusNotification>('suggestions.tell-status', { queue: 'mail' });
