import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { isValidEmail, normaliseEmail } from '../../../../platform/http/parsing/fields.js';
import { truncateText } from '../../../../platform/text/graphemes.js';
import { removeUrlsIfAny } from '../../../../platform/text/plain-name.js';
import { SuppressionRepository } from '../../leaving/suppression.repository.js';
import type { InviteOutcome } from '../../shared/outcomes.js';
import { RelationRepository } from '../../shared/relation.repository.js';

/** A person to invite. */
export interface Invitee {
  readonly email: string;
  readonly firstName?: string | null;
  readonly lastName?: string | null;
}

/** One row of the list; `outcome` is null as long as the person can be invited. */
export interface ValidatedInvitee {
  readonly email: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  outcome: InviteOutcome | null;
}

/** Maximum length of an invalid address in the response. */
const MAX_SHOWN_LENGTH = 320;
const NAME_LENGTH = 50;

/** Determines who can be invited, with a few queries for the whole list. */
@Injectable()
export class InvitationValidationService {
  constructor(
    private readonly relations: RelationRepository,
    private readonly suppressions: SuppressionRepository,
  ) {}

  /** Normalises addresses and marks invalid and duplicate ones. */
  normaliseInvitees(people: readonly Invitee[]): ValidatedInvitee[] {
    const earlier = new Set<string>();
    return people.map(({ email: written, firstName, lastName }) => {
      const email = normaliseEmail(written);
      const row = { email, firstName: toName(firstName), lastName: toName(lastName) };
      if (!isValidEmail(email)) return { ...row, email: truncateForResponse(written), outcome: 'INVALID_EMAIL' };
      if (earlier.has(email)) return { ...row, outcome: 'DUPLICATE' };
      earlier.add(email);
      return { ...row, outcome: null };
    });
  }

  /** Marks the owner, members, people with an open invitation, blocked people, and suppressed addresses. */
  async markIneligible(
    em: EntityManager,
    zone: { id: number; ownerId: number },
    rows: readonly ValidatedInvitee[],
  ): Promise<void> {
    const open = rows.filter(({ outcome }) => outcome === null);
    const emails = open.map(({ email }) => email);
    if (emails.length === 0) return;
    const existing = await this.relations.findForInvitation(em, zone.id, emails);
    const suppressed = await this.suppressions.findSuppressed(em, zone.ownerId, emails);
    for (const row of open) row.outcome = existing.get(row.email) ?? (suppressed.has(row.email) ? 'SUPPRESSED' : null);
  }
}

/** Shortens an invalid address for the response. */
function truncateForResponse(written: string): string {
  return written.trim().slice(0, MAX_SHOWN_LENGTH).toWellFormed();
}

/** Normalises a name for use in emails: a single line of limited length, without URLs. */
function toName(written: string | null | undefined): string | null {
  const line = (written ?? '').replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim();
  return removeUrlsIfAny(truncateText(line.toWellFormed(), NAME_LENGTH).trim()) || null;
}
