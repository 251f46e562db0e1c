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

/** What the viewer may do with a suggestion. Everybody signed in may submit and vote; a vote can always be taken back. */
export function suggestionAbilities(viewer: SuggestionViewer, suggestion: SuggestionState): SuggestionAbilitiesDto {
  const { status, isMerged } = suggestion;
  return {
    update: isStaff(viewer) && !isMerged,
    delete: viewer.isSuperAdmin,
    edit: getEditRefusal(suggestion) === null,
    vote: canReceiveVotes(status) && !isMerged,
    merge: isStaff(viewer) && !isMerged,
    unmerge: isStaff(viewer) && isMerged,
  };
}

/** Why somebody may not change the words of a suggestion, or withdraw it; null when they may. */
export function getEditRefusal({
  status,
  isOwn,
  isMerged,
}: SuggestionState): 'of-another' | 'merged' | 'not-pending' | null {
  if (!isOwn) return 'of-another';
  if (isMerged) return 'merged';
  return status === 'pending' ? null : 'not-pending';
}

/** What was rejected takes no votes. */
export const canReceiveVotes = (status: SuggestionStatus): boolean => status !== 'rejected';

interface StatusChange {
  readonly before: SuggestionStatus;
  readonly after: SuggestionStatus;
  readonly submittedById: number | null;
  readonly actorId: number;
}

/** Whether the submitter is told: of a new status that somebody else gave. */
export function shouldNotifySubmitter({ before, after, submittedById, actorId }: StatusChange): boolean {
  return before !== after && submittedById !== null && submittedById !== actorId;
}

/** Statuses that a suggestion has only after somebody approved it. */
const APPROVED_STATUSES: readonly SuggestionStatus[] = ['approved', 'in-progress', 'completed'];

/** Who counts as the one who approved it, after a change of status by `actorId`. */
export function resolveApprover(
  before: { readonly status: SuggestionStatus; readonly approvedById: number | null },
  after: SuggestionStatus,
  actorId: number,
): number | null {
  if (!APPROVED_STATUSES.includes(after)) return null;
  return APPROVED_STATUSES.includes(before.status) ? before.approvedById : actorId;
}
