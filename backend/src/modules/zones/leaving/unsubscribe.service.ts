import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { setPoolTenantOwner } from '../../../platform/database/pool/pool-partitioning.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { Language } from '../../../platform/errors/app-error.js';
import { UserRepository } from '../../auth/users/user.repository.js';
import { consentText, canStayWithoutEmails } from '../consent/consent.policy.js';
import { ConsentRepository } from '../consent/consent.repository.js';
import type { UnsubscribeInfoDto } from '../dto/leaving.dto.js';
import { LeaveRepository } from './leave.repository.js';
import { LeavingService } from './leaving.service.js';
import { UnsubscribeLinkService, type UnsubscribeLink } from './unsubscribe-link.service.js';
import { zoneErrors } from '../zones.errors.js';

export interface ConsentContext {
  readonly ipAddress: string | null;
  readonly language: Language;
}

/** Handles actions through email links, and members' email preferences in a zone. */
@Injectable()
export class UnsubscribeService {
  constructor(
    private readonly em: EntityManager,
    private readonly leaves: LeaveRepository,
    private readonly users: UserRepository,
    private readonly links: UnsubscribeLinkService,
    private readonly leaving: LeavingService,
    private readonly consents: ConsentRepository,
  ) {}

  /** @throws UNSUBSCRIBE_LINK_INVALID */
  parseToken(token: string): UnsubscribeLink {
    const link = this.links.parseToken(token);
    if (!link) throw zoneErrors.UNSUBSCRIBE_LINK_INVALID();
    return link;
  }

  /** Returns the current state for the page; changes nothing. */
  async getInfo(link: UnsubscribeLink, language: Language): Promise<UnsubscribeInfoDto> {
    const row = await this.leaves.findEmailPreferences(link.zoneId, link.userId);
    if (!row) {
      const deletedZone = { zoneName: '', isPublic: false, state: 'gone' as const, undoUntil: null };
      return { ...deletedZone, getsMails: false, mayStayWithoutMails: false, consentText: consentText[language] };
    }
    const state = row.joinMethod === null ? 'left' : 'member';
    return {
      zoneName: row.name,
      isPublic: row.type === 'public',
      state,
      undoUntil: state === 'left' ? await this.leaving.getUndoDeadline(link) : null,
      getsMails: state === 'member' && row.hasConsented && !row.hasUnsubscribed,
      mayStayWithoutMails: row.joinMethod !== null && canStayWithoutEmails({ ...row, joinMethod: row.joinMethod }),
      consentText: consentText[language],
    };
  }

  /**
   * Records that a member consents to the zone's emails.
   * @throws ZONE_NOT_FOUND for non-members
   */
  async giveConsent(link: UnsubscribeLink, { ipAddress, language }: ConsentContext, method: string): Promise<void> {
    const row = await this.findMember(link);
    const user = await this.users.getManagedUser(link.userId);
    const consent = { ipAddress, method, text: consentText[language] };
    await inTransaction(this.em, (em) => this.consents.recordConsent(em, row.id, user, consent));
  }

  /**
   * Stops the zone's emails for a member who stays.
   * @throws MAILS_BELONG_TO_ZONE if staying without emails is not allowed; ZONE_NOT_FOUND
   */
  async withdrawConsent(link: UnsubscribeLink): Promise<void> {
    const row = await this.findMember(link);
    if (!canStayWithoutEmails(row)) throw zoneErrors.MAILS_BELONG_TO_ZONE();
    await this.consents.unsubscribe(this.em, link.zoneId, link.userId, null);
  }

  private async findMember(link: UnsubscribeLink) {
    const row = await this.leaves.findEmailPreferences(link.zoneId, link.userId);
    if (!row?.joinMethod) throw zoneErrors.ZONE_NOT_FOUND();
    setPoolTenantOwner(row.ownerId);
    return { ...row, joinMethod: row.joinMethod };
  }
}
