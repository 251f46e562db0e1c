import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { setPoolTenantOwner } from '../../../platform/database/pool/pool-partitioning.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { Language } from '../../../platform/errors/app-error.js';
import { User, UserSchema } from '../../auth/entities/user.entity.js';
import { consentText, canStayWithoutEmails } from '../consent/consent.policy.js';
import { ConsentService } from '../consent/consent.service.js';
import type { UnsubscribeInfoDto } from '../dto/leaving.dto.js';
import { EmailConsentSchema } from '../entities/email-consent.entity.js';
import { EmailUnsubscribeSchema } from '../entities/email-unsubscribe.entity.js';
import { ZoneMemberSchema } from '../entities/zone-member.entity.js';
import { ZoneSchema } from '../entities/zone.entity.js';
import { LeavingService } from './leaving.service.js';
import { UnsubscribeLinkService, type UnsubscribeLink } from './unsubscribe-link.service.js';
import { zoneErrors } from '../zones.errors.js';

type Tables =
  | typeof ZoneSchema
  | typeof ZoneMemberSchema
  | typeof EmailConsentSchema
  | typeof EmailUnsubscribeSchema
  | typeof UserSchema;

export interface ConsentContext {
  readonly ipAddress: string | null;
  readonly language: Language;
}

/** Handles actions through email links, and members' email preferences in a zone. */
@Injectable()
export class UnsubscribeService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly links: UnsubscribeLinkService,
    private readonly leaving: LeavingService,
    private readonly consents: ConsentService,
  ) {}

  /** @throws UNSUBSCRIBE_LINK_INVALID */
  parseToken(token: string): UnsubscribeLink {
    const link = this.links.parseToken(token);
    if (!link) throw zoneErrors.UNSUBSCRIBE_LINK_INVALID();
    return link;
  }

  /** Returns the current state for the page; changes nothing. */
  async getInfo(link: UnsubscribeLink, language: Language): Promise<UnsubscribeInfoDto> {
    const row = await this.findStatus(link);
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
    const user = await this.em.findOneOrFail(User, { id: link.userId });
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
    const row = await this.findStatus(link);
    if (!row?.joinMethod) throw zoneErrors.ZONE_NOT_FOUND();
    setPoolTenantOwner(row.ownerId);
    return { ...row, joinMethod: row.joinMethod };
  }

  /** Returns the zone and the person's state in it; undefined if the zone or the person no longer exists. */
  private findStatus({ userId, zoneId }: UnsubscribeLink) {
    const now = this.clock.now();
    return query<Tables>(this.em)
      .selectFrom('zones as z')
      .innerJoin('users as u', (join) => join.on('u.id', '=', userId).on('u.erased_at', 'is', null))
      .leftJoin('zone_members as m', (join) =>
        join
          .onRef('m.zone_id', '=', 'z.id')
          .on('m.user_id', '=', userId)
          .on('m.role', '!=', 'owner')
          .on((where) => where.or([where('m.expires_at', 'is', null), where('m.expires_at', '>', now)])),
      )
      .leftJoin('email_consents as c', (join) => join.onRef('c.zone_id', '=', 'z.id').on('c.user_id', '=', userId))
      .leftJoin('email_unsubscribes as e', (join) => join.onRef('e.zone_id', '=', 'z.id').on('e.user_id', '=', userId))
      .select(['z.id as id', 'z.name as name', 'z.type as type', 'z.requires_email_optin as requiresEmailOptin'])
      .select('z.owner_id as ownerId')
      .select('m.join_method as joinMethod')
      .select(sql<boolean>`c.id is not null`.as('hasConsented'))
      .select(sql<boolean>`e.id is not null`.as('hasUnsubscribed'))
      .where('z.id', '=', zoneId)
      .where('z.deleted_at', 'is', null)
      .executeTakeFirst();
  }
}
