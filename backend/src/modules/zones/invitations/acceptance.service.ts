import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { MINUTE } from '../../../platform/clock/clock.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { Language } from '../../../platform/errors/app-error.js';
import { networkOf } from '../../../platform/http/client-network.js';
import { RateLimits, type RateRule } from '../../../platform/http/rate-limits.service.js';
import { fieldError } from '../../../platform/http/validation.js';
import type { Viewer } from '../../../platform/http/viewer.js';
import { CredentialService } from '../../auth/credential.service.js';
import type { User } from '../../auth/entities/user.entity.js';
import { ProfileCompletionService } from '../../auth/profile-completion.service.js';
import type { SessionOrigin } from '../../auth/session.service.js';
import { SignInService } from '../../auth/sign-in.service.js';
import { UserService, type Profile } from '../../auth/user.service.js';
import { zoneErrors } from '../zones.errors.js';
import { AcceptedEntry } from './accepted-entry.service.js';
import type { AcceptInviteDto } from './dto/acceptance.dto.js';
import { InvitationLookup, type FoundInvitation } from './invitation-lookup.service.js';
import { invitationErrors } from './invitations.errors.js';

const BY_ADDRESS: RateRule = { name: 'accept-invite-ip', limit: 120, window: MINUTE };

export interface Acceptor {
  readonly viewer: Viewer | null;
  readonly language: Language;
  readonly origin: SessionOrigin;
  /** Of the session that the browser had before, from the cookie. */
  readonly previousSid: string | null;
}

export interface Accepted {
  readonly invitation: FoundInvitation;
  readonly user: User;
  /** For the cookie; null for people who have a password: they sign in with it. */
  readonly sid: string | null;
}

type NewProfile = Profile & { readonly passwordHash: string };

/** Accepting an invitation, by the person whose address it names. */
@Injectable()
export class AcceptanceService {
  constructor(
    private readonly em: EntityManager,
    private readonly lookup: InvitationLookup,
    private readonly entry: AcceptedEntry,
    private readonly users: UserService,
    private readonly signIns: SignInService,
    private readonly profiles: ProfileCompletionService,
    private readonly credentials: CredentialService,
    private readonly limits: RateLimits,
  ) {}

  /**
   * Lets the person in. The token shows that the address is theirs: people with a password become members without a
   * session. Others show the temporary password of the mail; that makes the account and opens a restricted session, or
   * a full one when the profile comes along. Doing it again changes nothing.
   * @throws INVITATION_INVALID for an unknown, revoked or expired one, all alike
   * @throws INVITATION_OTHER_ADDRESS when the form or the session names another address
   * @throws ALREADY_MEMBER to people with a password who are in the zone
   * @throws CONSENT_REQUIRED, INVALID_CREDENTIALS, USERNAME_TAKEN, PASSWORD_UNCHANGED, TOO_MANY_REQUESTS
   */
  async accept(dto: AcceptInviteDto, acceptor: Acceptor): Promise<Accepted> {
    await this.limits.take(BY_ADDRESS, networkOf(acceptor.origin.ipAddress));
    const invitation = await this.lookup.find(dto.token);
    const { viewer } = acceptor;
    if (dto.email !== invitation.email || (viewer && viewer.email !== invitation.email)) {
      throw invitationErrors.INVITATION_OTHER_ADDRESS();
    }
    if (invitation.requiresEmailOptin && dto.emailConsent === false) throw zoneErrors.CONSENT_REQUIRED();
    const hasConsented = dto.emailConsent !== false;
    if (invitation.isExistingUser) return this.acceptKnown(invitation, acceptor, hasConsented);
    return this.acceptNew(invitation, dto, acceptor, hasConsented);
  }

  private async acceptKnown(invitation: FoundInvitation, acceptor: Acceptor, hasConsented: boolean): Promise<Accepted> {
    const { user, joined } = await inTransaction(this.em, async (em) => {
      const user = await this.users.findOrCreateVerified(em, invitation.email, acceptor.language);
      const joined = await this.entry.enter(em, invitation, user, acceptor, hasConsented);
      return { user, joined };
    });
    if (!joined) throw zoneErrors.ALREADY_MEMBER();
    return { invitation, user, sid: null };
  }

  private async acceptNew(
    invitation: FoundInvitation,
    dto: AcceptInviteDto,
    acceptor: Acceptor,
    hasConsented: boolean,
  ): Promise<Accepted> {
    const { language, origin, previousSid } = acceptor;
    if (!acceptor.viewer && !dto.password) {
      throw fieldError('password', {
        en: 'Please enter both email and temporary password',
        tr: 'Lütfen e-posta adresinizi ve geçici parolayı girin',
      });
    }
    // A restricted session has shown a temporary password, or the address, already.
    if (!acceptor.viewer) await this.signIns.authenticate(invitation.email, dto.password!, origin);
    const profile = await this.profileOf(dto, invitation.email);
    return inTransaction(this.em, async (em) => {
      const proven = { email: invitation.email, hash: null };
      const opened = await this.signIns.signIn(proven, language, origin, previousSid);
      await this.startNames(em, opened.user, invitation);
      await this.entry.enter(em, invitation, opened.user, acceptor, hasConsented);
      if (!profile) return { invitation, ...opened };
      return { invitation, ...(await this.profiles.completeIn(em, opened.user.id, profile, origin)) };
    });
  }

  /** What whoever invited wrote is a start; the person is asked for the names in any case. */
  private async startNames(em: EntityManager, user: User, { firstName, lastName }: FoundInvitation): Promise<void> {
    if (user.firstName != null || user.username != null || firstName === null) return;
    em.assign(user, { firstName, lastName: lastName ?? '.' });
    await this.users.saveProfile(em, user);
  }

  private async profileOf(dto: AcceptInviteDto, email: string): Promise<NewProfile | null> {
    const { firstName, lastName, username, newPassword } = dto;
    if (!firstName || !lastName || !username || !newPassword) return null;
    await this.credentials.refuseUnchanged({ email, password: null }, newPassword, 'newPassword');
    return { firstName, lastName, username, passwordHash: await this.users.hashNew(newPassword, 'newPassword') };
  }
}
