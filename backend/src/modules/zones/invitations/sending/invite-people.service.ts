import { Injectable } from '@nestjs/common';
import type { Language } from '../../../../platform/errors/app-error.js';
import { tooManyRequests } from '../../../../platform/errors/common.errors.js';
import { fieldError } from '../../../../platform/http/parsing/validation.js';
import { ZoneCapacityService } from '../../zone/zone-capacity.service.js';
import type { InviteAnswerDto } from '../dto/invite.dto.js';
import { InvitationService, type InvitationReport, type InvitationZone } from '../invitation.service.js';
import { inviteMessages, type InviteOutcome } from '../../shared/outcomes.js';

/** Invites a list of addresses entered by a user and builds the response. */
@Injectable()
export class InvitePeopleService {
  constructor(
    private readonly invitations: InvitationService,
    private readonly zoneCapacity: ZoneCapacityService,
  ) {}

  /**
   * Invites the addresses; empty ones are skipped.
   * @throws VALIDATION_FAILED if none of them is an email address
   * @throws TOO_MANY_REQUESTS if none was invited because of the owner's hourly rate
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
    if (report.planLimit && !isOwner) await this.zoneCapacity.notifyOwner(zone.ownerId, 'people');
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

/** Zone admins learn that the zone is full, but not the numbers of the owner's plan. */
function toResults({ results }: InvitationReport, isOwner: boolean, language: Language) {
  return results.map(({ email, outcome }) => {
    const status: InviteOutcome = outcome === 'PLAN_LIMIT' && !isOwner ? 'ZONE_FULL' : outcome;
    return { email, success: status === 'INVITED', status, message: inviteMessages[status][language] };
  });
}

function noValidEmail() {
  return fieldError('emails', {
    en: 'Please enter at least one valid email address.',
    tr: 'Lütfen en az bir geçerli e-posta adresi girin.',
  });
}
