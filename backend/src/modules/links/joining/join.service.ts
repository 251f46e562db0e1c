import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock, HOUR, MINUTE } from '../../../platform/clock/clock.js';
import { chargeOwner } from '../../../platform/database/pool/places.js';
import { addressNotTaken, SmtpUtf8 } from '../../../platform/mail/smtp-utf8.service.js';
import { fieldError } from '../../../platform/http/reading/validation.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { Language } from '../../../platform/errors/app-error.js';
import { RateLimits, type RateRule } from '../../../platform/http/limits/rate-limits.service.js';
import type { Viewer } from '../../../platform/http/reading/viewer.js';
import { UserService } from '../../auth/users/user.service.js';
import { ZoneFullService } from '../../zones/zone/zone-full.service.js';
import { consentText } from '../../zones/consent/consent.policy.js';
import { PendingJoins } from './pending-joins.service.js';
import { LinkEntryService, type UsedLink } from '../link-entry.service.js';
import { newToken } from '../../../platform/security/secrets.js';
import { LinkPasswords } from '../temporary/link-password.service.js';
import { LinkUsages, type Try } from '../figures/link-usage.service.js';
import type { JoinOutcome } from '../dto/join.dto.js';
import { linkErrors } from '../links.errors.js';

const BY_EMAIL: RateRule = { name: 'join', limit: 10, window: HOUR };
/** Of both forms together; many people may sit behind one address. */
export const JOIN_LIMIT: RateRule = { name: 'join-ip', limit: 120, window: MINUTE };

/** A link, of either kind, as somebody stands before it. */
export interface Entrance {
  readonly zone: { readonly id: number; readonly ownerId: number; readonly requiresEmailOptin: boolean };
  /** Null: the public link. */
  readonly link: { readonly id: number; readonly password: string | null } | null;
  readonly publicLink: string | null;
}

export interface JoinAttempt {
  readonly email: string;
  readonly emailConsent: boolean;
  /** The word that the link may ask for. */
  readonly password?: string;
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
  readonly language: Language;
}

/** What came of a try to join, and by what its window takes the code of the mail; null where none is sent. */
export interface Joined {
  readonly outcome: JoinOutcome;
  readonly handle: string | null;
}

/** Joining a zone by a link. */
@Injectable()
export class JoinService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly limits: RateLimits,
    private readonly users: UserService,
    private readonly links: LinkEntryService,
    private readonly passwords: LinkPasswords,
    private readonly usages: LinkUsages,
    private readonly zoneFull: ZoneFullService,
    private readonly pending: PendingJoins,
    private readonly utf8: SmtpUtf8,
  ) {}

  /**
   * Joins at once somebody signed in under the address that they name; anybody else gets a mail with a link, and the
   * same answer whether the address is known or not. Every try is recorded, but for those of who runs the zone.
   * @throws LINK_NOT_FOUND, LINK_EXPIRED, LINK_MAX_USES, LINK_PASSWORD_WRONG, CONSENT_REQUIRED, ALREADY_MEMBER (to the
   * signed-in person only), ZONE_FULL, TOO_MANY_REQUESTS; VALIDATION_FAILED for an address that the mail server does not
   * take
   */
  async join(entrance: Entrance, attempt: JoinAttempt, viewer: Viewer | null): Promise<Joined> {
    const { email, ipAddress, userAgent } = attempt;
    if (viewer?.email !== email && (await this.utf8.refuses(email))) throw fieldError('email', addressNotTaken);
    const trace = { zoneId: entrance.zone.id, linkId: entrance.link?.id ?? null, email, ipAddress, userAgent };
    return this.usages.watch(trace, () => this.tryToJoin(entrance, attempt, trace, viewer));
  }

  private async tryToJoin(
    entrance: Entrance,
    attempt: JoinAttempt,
    trace: Try,
    viewer: Viewer | null,
  ): Promise<Joined> {
    chargeOwner(entrance.zone.ownerId);
    const link = linkOf(entrance, this.clock.now());
    const self = viewer?.email === attempt.email ? viewer : null;
    if (!self) await this.links.check(link);
    if (entrance.zone.requiresEmailOptin && !attempt.emailConsent) throw linkErrors.CONSENT_REQUIRED();
    if (entrance.link) await this.passwords.check(entrance.link, attempt.password ?? '', attempt.ipAddress);
    if (self) return { outcome: await this.enter(entrance, link, attempt, trace, self.userId), handle: null };
    await this.limits.spend(BY_EMAIL, attempt.email);
    const handle = newToken();
    await inTransaction(this.em, async (em) => {
      const usageId = await this.usages.open(em, trace, 'asked');
      const consentText = consentOf(link, attempt)?.text ?? null;
      await this.pending.add(em, entrance.zone.ownerId, { ...attempt, link, usageId, consentText, handle });
    });
    return { outcome: 'mailSent', handle };
  }

  private async enter(
    { zone }: Entrance,
    link: UsedLink,
    attempt: JoinAttempt,
    trace: Try,
    userId: number,
  ): Promise<JoinOutcome> {
    return this.zoneFull.guard(zone.ownerId, null, () =>
      inTransaction(this.em, async (em) => {
        const user = await this.users.findNamed(em, userId);
        const alsoWrite = () => this.usages.joined(em, trace, { userId, wasNewUser: false });
        const entry = await this.links.enter(em, link, { user, consent: consentOf(link, attempt), alsoWrite });
        if (entry === 'already-member') throw linkErrors.ALREADY_MEMBER();
        if (entry === 'waiting') await this.usages.open(em, trace, 'waiting');
        return entry;
      }),
    );
  }
}

function linkOf({ zone, link, publicLink }: Entrance, askedAt: Date): UsedLink {
  return { zoneId: zone.id, linkId: link?.id ?? null, publicLink, askedAt };
}

/** How consent came: the same word as the way in. */
export const methodOf = ({ linkId }: Pick<UsedLink, 'linkId'>) => (linkId === null ? 'public_link' : 'temporary_link');

function consentOf(link: UsedLink, { emailConsent, ipAddress, language }: JoinAttempt) {
  return emailConsent ? { ipAddress, method: methodOf(link), text: consentText[language] } : null;
}
