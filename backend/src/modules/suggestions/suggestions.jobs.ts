import { defineJob } from '../../platform/jobs/job-definition.js';
import type { SuggestionStatus } from './entities/feature-suggestion.entity.js';

export interface MergeNotification {
  readonly suggestionId: number;
  readonly intoId: number;
  /** Whether the merge was undone. */
  readonly isUndone: boolean;
  /** The administrator, who is not notified. */
  readonly actorId: number;
  /** User id after which this job starts. Each job notifies one batch and enqueues the next. */
  readonly after: number;
}

/** Notifies submitter and voters that a suggestion was merged, or that a merge was undone. */
export const notifySuggestionMerged = defineJob<MergeNotification>('suggestions.notify-suggestion-merged', {
  queue: 'mail',
});

export interface StatusNotification {
  readonly suggestionId: number;
  readonly status: SuggestionStatus;
}

/** Notifies the submitter of a suggestion of its new status. */
export const notifySuggestionStatus = defineJob<StatusNotification>('suggestions.notify-suggestion-status', {
  queue: 'mail',
});
