import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { chargeOwner } from '../../../../platform/database/pool/places.js';
import { inTransaction } from '../../../../platform/database/transaction.js';
import type { Language } from '../../../../platform/errors/app-error.js';
import { fieldError } from '../../../../platform/http/reading/validation.js';
import type { Viewer } from '../../../../platform/http/reading/viewer.js';
import { CredentialService } from '../../../auth/passwords/credential.service.js';
import type { User } from '../../../auth/entities/user.entity.js';
import { ProfileCompletionService } from '../../../auth/registration/profile-completion.service.js';
import type { SessionOrigin } from '../../../auth/sessions/session.service.js';
import { SignInService } from '../../../auth/sign-in/sign-in.service.js';
import { SignInFailures } from '../../../auth/trail/sign-in-failures.service.js';
import type { Entry } from '../../../auth/sign-in/session-opener.service.js';
import { UserService, type Profile } from '../../../auth/users/user.service.js';
import { zoneErrors, invitationErrors } from '../../zones.errors.js';
import { AcceptedEntry } from './accepted-entry.service.js';
import type { AcceptInviteDto } from '../dto/acceptance.dto.js';
import { InvitationReader, type FoundInvitation } from '../invitation-reader.service.js';

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
  /** null for people who have a password: they sign in with it. */
  readonly entry: Entry | null;
}

type NewProfile = Profile & { readonly passwordHash: string };

/** Accepting an invitation, by the person whose address it names. */
@Injectable()
export class AcceptanceService {
  constructor(
    private readonly em: EntityManager,
    private readonly invitations: InvitationReader,
    private readonly entry: AcceptedEntry,
    private readonly users: UserService,
    private readonly signIns: SignInService,
    private readonly failures: SignInFailures,
    private readonly profiles: ProfileCompletionService,
    private readonly credentials: CredentialService,
  ) {}

  /**
   * Lets the person in. The token shows that the address is theirs: people with a password become members without a
   * session. Others show the temporary password of the mail; that makes the account and opens a restricted session, or
   * a full one when the profile comes along; who has a second factor is asked for it. Doing it again changes nothing.
   * Consent to the zone's mails is what the request says outright; silence is none: refused where the zone requires it,
   * and elsewhere its campaigns pass the member over.
   * @throws INVITATION_INVALID for an unknown, revoked or expired one, all alike
   * @throws INVITATION_OTHER_ADDRESS when the form or the session names another address
   * @throws ALREADY_MEMBER to people with a password who are in the zone
   * @throws CONSENT_REQUIRED, INVALID_CREDENTIALS, USERNAME_TAKEN, PASSWORD_UNCHANGED, TOO_MANY_REQUESTS
   */
  async accept(dto: AcceptInviteDto, acceptor: Acceptor): Promise<Accepted> {
    const invitation = await this.invitations.find(dto.token);
    chargeOwner(invitation.ownerId);
    const { viewer } = acceptor;
    if (dto.email !== invitation.email || (viewer && viewer.email !== invitation.email)) {
      throw invitationErrors.INVITATION_OTHER_ADDRESS();
    }
    if (invitation.requiresEmailOptin && dto.emailConsent !== true) throw zoneErrors.CONSENT_REQUIRED();
    const hasConsented = dto.emailConsent === true;
    if (invitation.isExistingUser) return this.acceptSignedIn(invitation, acceptor, hasConsented);
    return this.acceptNew(invitation, dto, acceptor, hasConsented);
  }

  private async acceptSignedIn(
    invitation: FoundInvitation,
    acceptor: Acceptor,
    hasConsented: boolean,
  ): Promise<Accepted> {
    const { user, joined } = await inTransaction(this.em, async (em) => {
      const user = await this.users.findOrCreateVerified(em, invitation.email, acceptor.language);
      const joined = await this.entry.enter(em, invitation, user, acceptor, hasConsented);
      return { user, joined };
    });
    if (!joined) throw zoneErrors.ALREADY_MEMBER();
    return { invitation, user, entry: null };
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
    if (!acceptor.viewer) {
      await this.signIns.authenticate(invitation.email, dto.password!, origin).catch(async (error: unknown) => {
        await this.failures.note(error, invitation.email, origin.ipAddress);
        throw error;
      });
    }
    const profile = await this.profileOf(dto, invitation.email);
    return inTransaction(this.em, async (em) => {
      const proven = { email: invitation.email, hash: null };
      const entry = await this.signIns.signIn(proven, language, origin, previousSid);
      const { user } = entry;
      await this.startNames(em, user, invitation);
      await this.entry.enter(em, invitation, user, acceptor, hasConsented);
      if (!profile) return { invitation, user, entry };
      return { invitation, user, entry: await this.profiles.completeIn(em, user.id, profile, origin) };
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
    const owner = { email, firstName, lastName, username };
    return { firstName, lastName, username, passwordHash: await this.users.hashNew(newPassword, 'newPassword', owner) };
  }
}
