import { isStaff } from '../auth/access.policy.js';
import type { SuggestionStatus } from './entities/feature-suggestion.entity.js';

interface Asking {
  readonly role: 'user' | 'admin';
  readonly isSuperAdmin: boolean;
}

/** What the viewer may do with suggestions. Everybody signed in may submit and vote. */
export interface SuggestionAbilities {
  /** Change status, priority, notes and the words. */
  update: boolean;
  delete: boolean;
}

export function suggestionAbilities(viewer: Asking): SuggestionAbilities {
  return { update: isStaff(viewer), delete: viewer.isSuperAdmin };
}

interface StatusChange {
  readonly before: SuggestionStatus;
  readonly after: SuggestionStatus;
  readonly submittedById: number | null;
  readonly actorId: number;
}

/** Whether the submitter is told: of a new status that somebody else gave. */
export function tellsSubmitter({ before, after, submittedById, actorId }: StatusChange): boolean {
  return before !== after && submittedById !== null && submittedById !== actorId;
}

/** Statuses that a suggestion has only after somebody approved it. */
const APPROVED: readonly SuggestionStatus[] = ['approved', 'in-progress', 'completed'];

/** Who counts as the one who approved it, after a change of status by `actorId`. */
export function approverAfter(
  before: { readonly status: SuggestionStatus; readonly approvedById: number | null },
  after: SuggestionStatus,
  actorId: number,
): number | null {
  if (!APPROVED.includes(after)) return null;
  return APPROVED.includes(before.status) ? before.approvedById : actorId;
}
