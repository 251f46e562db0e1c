import { Injectable } from '@nestjs/common';
import type { Language } from '../../../../platform/errors/app-error.js';
import { tooManyRequests } from '../../../../platform/errors/common.errors.js';
import { fieldError } from '../../../../platform/http/parsing/validation.js';
import { ZoneFullService } from '../../zone/zone-full.service.js';
import type { InviteAnswerDto } from '../dto/invite.dto.js';
import { InvitationService, type InvitationReport, type InvitationZone } from '../invitation.service.js';
import { inviteSentences, type InviteOutcome } from '../../shared/outcomes.js';

/** The list of addresses that somebody entered, and what they are told of it. */
@Injectable()
export class InvitePeopleService {
  constructor(
    private readonly invitations: InvitationService,
    private readonly zoneFull: ZoneFullService,
  ) {}

  /**
   * Invites the addresses; empty ones are passed over.
   * @throws VALIDATION_FAILED when none of them is an address
   * @throws TOO_MANY_REQUESTS when none was invited and the owner's hourly rate is why
   */
  async inviteEmails(
    zone: InvitationZone,
    inviterId: number,
    emails: readonly string[],
    language: Language,
  ): Promise<InviteAnswerDto> {
    const written = emails.filter((email) => email.trim() !== '');
    if (!written.some((email) => email.includes('@'))) throw noValidEmail();
    const report = await this.invitations.invitePeople(
      zone,
      inviterId,
      written.map((email) => ({ email })),
    );
    const isOwner = inviterId === zone.ownerId;
    if (report.planLimit && !isOwner) await this.zoneFull.notifyOwner(zone.ownerId, 'people');
    const invited = report.results.filter(({ outcome }) => outcome === 'INVITED').length;
    if (invited === 0 && report.retryAfter > 0) {
      throw tooManyRequests(report.retryAfter);
    }
    return {
      results: toResults(report, isOwner, language),
      invited,
      planLimit: isOwner ? report.planLimit : null,
      dailyLimit: report.dailyLimit,
      retryAfter: report.retryAfter,
    };
  }
}

/** A zone admin is told that the zone is full, without figures. */
function toResults({ results }: InvitationReport, isOwner: boolean, language: Language) {
  return results.map(({ email, outcome }) => {
    const status: InviteOutcome = outcome === 'PLAN_LIMIT' && !isOwner ? 'ZONE_FULL' : outcome;
    return { email, success: status === 'INVITED', status, message: inviteSentences[status][language] };
  });
}

function noValidEmail() {
  return fieldError('emails', {
    en: 'Please enter at least one valid email address.',
    tr: 'Lütfen en az bir geçerli e-posta adresi girin.',
  });
}
