import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock, HOUR, MINUTE } from '../../../platform/clock/clock.js';
import { setPoolTenantOwner } from '../../../platform/database/pool/pool-partitioning.js';
import { unsupportedAddressMessage, SmtpUtf8Service } from '../../../platform/email/smtp-utf8.service.js';
import { fieldError } from '../../../platform/http/parsing/validation.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { Language } from '../../../platform/errors/app-error.js';
import { RateLimitService, type RateRule } from '../../../platform/http/limits/rate-limit.service.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { UserRepository } from '../../auth/users/user.repository.js';
import { ZoneCapacityService } from '../../zones/zone/zone-capacity.service.js';
import { consentText } from '../../zones/consent/consent.policy.js';
import { PendingJoinService } from './pending-join.service.js';
import { LinkEntryService } from '../link-entry.service.js';
import type { UsedLink } from '../link.policy.js';
import { newToken } from '../../../platform/security/secrets.js';
import { LinkPasswordService } from '../temporary/link-password.service.js';
import { LinkUsageService, type JoinAttemptRecord } from '../analytics/link-usage.service.js';
import type { JoinOutcome } from '../dto/join.dto.js';
import { linkErrors } from '../links.errors.js';

const EMAIL_RATE: RateRule = { name: 'join', limit: 10, window: HOUR };
/** Limit for both kinds of links together; many people may share one IP address. */
export const JOIN_RATE: RateRule = { name: 'join-ip', limit: 120, window: MINUTE };

/** The link, of either kind, by which a person wants to join. */
export interface JoinTarget {
  readonly zone: { readonly id: number; readonly ownerId: number; readonly requiresEmailOptin: boolean };
  /** Null for the public link. */
  readonly link: { readonly id: number; readonly password: string | null } | null;
  readonly publicLink: string | null;
}

export interface JoinAttempt {
  readonly email: string;
  readonly emailConsent: boolean;
  /** The link's password, if it requires one. */
  readonly password?: string;
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
  readonly language: Language;
}

/** Outcome of an attempt, and the token with which its window accepts the emailed code; null if no email is sent. */
export interface JoinAttemptResult {
  readonly outcome: JoinOutcome;
  readonly handle: string | null;
}

/** Handles joining a zone by a link. */
@Injectable()
export class JoinService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly limits: RateLimitService,
    private readonly users: UserRepository,
    private readonly links: LinkEntryService,
    private readonly linkPassword: LinkPasswordService,
    private readonly linkUsage: LinkUsageService,
    private readonly zoneCapacity: ZoneCapacityService,
    private readonly pendingJoin: PendingJoinService,
    private readonly utf8: SmtpUtf8Service,
  ) {}

  /**
   * Joins immediately if the viewer is signed in with the given address. Everyone else gets an email with a link, and
   * the same response whether the address is known or not. Every attempt is recorded, except those of people who manage
   * the zone.
   * @throws LINK_NOT_FOUND, LINK_EXPIRED, LINK_MAX_USES, LINK_PASSWORD_WRONG, CONSENT_REQUIRED, ALREADY_MEMBER (only
   * for signed-in people), ZONE_FULL, TOO_MANY_REQUESTS; VALIDATION_FAILED for an address that the mail server does not
   * support
   */
  async join(target: JoinTarget, attempt: JoinAttempt, viewer: Viewer | null): Promise<JoinAttemptResult> {
    const { email, ipAddress, userAgent } = attempt;
    if (viewer?.email !== email && (await this.utf8.isUnsupported(email)))
      throw fieldError('email', unsupportedAddressMessage);
    const record = { zoneId: target.zone.id, linkId: target.link?.id ?? null, email, ipAddress, userAgent };
    return this.linkUsage.recordFailure(record, () => this.attemptJoin(target, attempt, record, viewer));
  }

  private async attemptJoin(
    target: JoinTarget,
    attempt: JoinAttempt,
    record: JoinAttemptRecord,
    viewer: Viewer | null,
  ): Promise<JoinAttemptResult> {
    setPoolTenantOwner(target.zone.ownerId);
    const link = toUsedLink(target, this.clock.now());
    const matchingViewer = viewer?.email === attempt.email ? viewer : null;
    if (!matchingViewer) await this.links.assertLinkValid(link);
    if (target.zone.requiresEmailOptin && !attempt.emailConsent) throw linkErrors.CONSENT_REQUIRED();
    if (target.link) await this.linkPassword.assertPassword(target.link, attempt.password ?? '', attempt.ipAddress);
    if (matchingViewer)
      return { outcome: await this.joinSignedIn(target, link, attempt, record, matchingViewer.userId), handle: null };
    await this.limits.consume(EMAIL_RATE, attempt.email);
    const handle = newToken();
    await inTransaction(this.em, async (em) => {
      const usageId = await this.linkUsage.recordAttempt(em, record, 'asked');
      const consentText = toConsent(link, attempt)?.text ?? null;
      await this.pendingJoin.createPendingJoin(em, target.zone.ownerId, {
        ...attempt,
        link,
        usageId,
        consentText,
        joinSessionToken: handle,
      });
    });
    return { outcome: 'mailSent', handle };
  }

  private async joinSignedIn(
    { zone }: JoinTarget,
    link: UsedLink,
    attempt: JoinAttempt,
    record: JoinAttemptRecord,
    userId: number,
  ): Promise<JoinOutcome> {
    return this.zoneCapacity.translatePlanLimit(zone.ownerId, null, () =>
      inTransaction(this.em, async (em) => {
        const user = await this.users.findNamesForMembership(em, userId);
        const onMemberAdded = () => this.linkUsage.recordJoin(em, record, { userId, wasNewUser: false });
        const result = await this.links.joinByLink(em, link, {
          user,
          consent: toConsent(link, attempt),
          onMemberAdded,
        });
        if (result === 'already-member') throw linkErrors.ALREADY_MEMBER();
        if (result === 'waiting') await this.linkUsage.recordAttempt(em, record, 'waiting');
        return result;
      }),
    );
  }
}

function toUsedLink({ zone, link, publicLink }: JoinTarget, askedAt: Date): UsedLink {
  return { zoneId: zone.id, linkId: link?.id ?? null, publicLink, askedAt };
}

/** Returns the consent method, which equals the join method. */
export const getConsentMethod = ({ linkId }: Pick<UsedLink, 'linkId'>) =>
  linkId === null ? 'public_link' : 'temporary_link';

function toConsent(link: UsedLink, { emailConsent, ipAddress, language }: JoinAttempt) {
  return emailConsent ? { ipAddress, method: getConsentMethod(link), text: consentText[language] } : null;
}
