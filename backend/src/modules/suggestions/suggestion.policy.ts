import type { SuggestionAbilitiesDto } from './dto/suggestion.dto.js';
import { isStaff } from '../auth/access/access.policy.js';
import type { SuggestionStatus } from './entities/feature-suggestion.entity.js';

interface SuggestionViewer {
  readonly role: 'user' | 'admin';
  readonly isSuperAdmin: boolean;
}

interface SuggestionState {
  readonly status: SuggestionStatus;
  readonly isOwn: boolean;
  readonly isMerged: boolean;
}

/** Returns what the viewer may do with a suggestion. Every user may submit and vote, and may always withdraw a vote. */
export function suggestionAbilities(viewer: SuggestionViewer, suggestion: SuggestionState): SuggestionAbilitiesDto {
  const { status, isMerged } = suggestion;
  return {
    update: isStaff(viewer) && !isMerged,
    delete: viewer.isSuperAdmin,
    edit: getEditRejection(suggestion) === null,
    vote: canReceiveVotes(status) && !isMerged,
    merge: isStaff(viewer) && !isMerged,
    unmerge: isStaff(viewer) && isMerged,
  };
}

/** Returns why a user may not edit or withdraw a suggestion; null if they may. */
export function getEditRejection({
  status,
  isOwn,
  isMerged,
}: SuggestionState): 'of-another' | 'merged' | 'not-pending' | null {
  if (!isOwn) return 'of-another';
  if (isMerged) return 'merged';
  return status === 'pending' ? null : 'not-pending';
}

/** Rejected suggestions accept no votes. */
export const canReceiveVotes = (status: SuggestionStatus): boolean => status !== 'rejected';

interface StatusChange {
  readonly before: SuggestionStatus;
  readonly after: SuggestionStatus;
  readonly submittedById: number | null;
  readonly actorId: number;
}

/** Returns true if the submitter is notified: when someone else has changed the status. */
export function shouldNotifySubmitter({ before, after, submittedById, actorId }: StatusChange): boolean {
  return before !== after && submittedById !== null && submittedById !== actorId;
}

/** Statuses that require an earlier approval. */
const APPROVED_STATUSES: readonly SuggestionStatus[] = ['approved', 'in-progress', 'completed'];

/** Returns who counts as the approver after a status change by `actorId`. */
export function resolveApprover(
  before: { readonly status: SuggestionStatus; readonly approvedById: number | null },
  after: SuggestionStatus,
  actorId: number,
): number | null {
  if (!APPROVED_STATUSES.includes(after)) return null;
  return APPROVED_STATUSES.includes(before.status) ? before.approvedById : actorId;
}
