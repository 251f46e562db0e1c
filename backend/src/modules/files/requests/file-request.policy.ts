import type { ZoneRole } from '../../zones/entities/zone-member.entity.js';
import { zoneAbilities } from '../../zones/access/zone.policy.js';

/** What a file request accepts, and what one person has sent. */
export interface SubmissionTerms {
  /** False once the deadline has passed. */
  readonly isOpen: boolean;
  readonly maxFilesPerPerson: number | null;
  /** Files of the person that are not in the trash. */
  readonly sentFiles: number;
}

/** Decides whether a person may send `count` more files. */
export function decideSubmission(
  { isOpen, maxFilesPerPerson, sentFiles }: SubmissionTerms,
  count: number,
): 'ok' | 'FILE_REQUEST_CLOSED' | 'FILE_REQUEST_LIMIT' {
  if (!isOpen) return 'FILE_REQUEST_CLOSED';
  return maxFilesPerPerson !== null && sentFiles + count > maxFilesPerPerson ? 'FILE_REQUEST_LIMIT' : 'ok';
}

/** Whether the viewer may send another file. People who manage the zone upload files as to any folder. */
export function canSend(role: ZoneRole, terms: SubmissionTerms): boolean {
  const { read, manageFiles } = zoneAbilities(role);
  return read && !manageFiles && decideSubmission(terms, 1) === 'ok';
}
