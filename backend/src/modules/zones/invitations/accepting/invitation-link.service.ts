import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { setPoolTenantOwner } from '../../../../platform/database/pool/pool-partitioning.js';
import { inTransaction } from '../../../../platform/database/transaction.js';
import { commonErrors } from '../../../../platform/errors/common.errors.js';
import type { Language } from '../../../../platform/errors/app-error.js';
import type { Viewer } from '../../../../platform/http/parsing/viewer.js';
import { CredentialService } from '../../../auth/passwords/credential.service.js';
import type { User } from '../../../auth/entities/user.entity.js';
import { ProfileCompletionService } from '../../../auth/registration/profile-completion.service.js';
import { hasPermanentSignIn, needsProfileCompletion } from '../../../auth/access/user.policy.js';
import { SessionService, type SessionOrigin } from '../../../auth/sessions/session.service.js';
import { SignInService, type VerifiedCredentials } from '../../../auth/sign-in/sign-in.service.js';
import { AuthFailureService } from '../../../auth/security-events/auth-failure.service.js';
import { isSessionCreated, type SignInResult } from '../../../auth/sign-in/session-issuer.service.js';
import { UserRepository } from '../../../auth/users/user.repository.js';
import { UserService, type ProfileNames, type VerifiedEmailResult } from '../../../auth/users/user.service.js';
import { zoneErrors, invitationErrors } from '../../zones.errors.js';
import { InvitationAcceptanceService } from './invitation-acceptance.service.js';
import type { AcceptInviteDto } from '../dto/acceptance.dto.js';
import { InvitationListService, type FoundInvitation } from '../invitation-list.service.js';
import { NO_LAST_NAME } from '../../../auth/entities/user.entity.js';

export interface Acceptor {
  readonly viewer: Viewer | null;
  readonly language: Language;
  readonly origin: SessionOrigin;
  /** Id of the browser's previous session, from the cookie. */
  readonly previousSid: string | null;
}

export interface AcceptanceResult {
  readonly invitation: FoundInvitation;
  readonly user: User;
  /** Null for people who can sign in without the invitation email, and for people who are already signed in. */
  readonly signIn: SignInResult | null;
  /** The session may only complete the profile. */
  readonly isRestricted: boolean;
}

/** `isConfirmed`: the request proved ownership of the account, so it may set the first password. */
type NewUserAcceptanceResult = AcceptanceResult & { readonly isConfirmed: boolean };

type NewProfile = ProfileNames & { readonly passwordHash: string };

/** Accepts invitations on behalf of the invited person. */
@Injectable()
export class InvitationLinkService {
  constructor(
    private readonly em: EntityManager,
    private readonly invitationList: InvitationListService,
    private readonly invitationAcceptance: InvitationAcceptanceService,
    private readonly users: UserService,
    private readonly userRepository: UserRepository,
    private readonly signIns: SignInService,
    private readonly sessions: SessionService,
    private readonly failures: AuthFailureService,
    private readonly profiles: ProfileCompletionService,
    private readonly credentials: CredentialService,
  ) {}

  /**
   * Accepts an invitation. The token proves the email address. People who have a permanent way to sign in become
   * members without a session. For others, the first use of the link creates the account and a read-only session. They
   * can also enter the temporary password of the email, which creates a restricted session every time. If the request
   * contains a profile, the session is a full one. A profile sets a password, so it is accepted only for an account
   * that this request creates or from a confirmed session, because the invitation may have been forwarded. A second
   * factor is requested if set up. Signed-in people keep their session.
   * Consent to the zone's emails must be given explicitly. If the zone requires it, a request that does not answer
   * changes nothing, and consent is requested next; a request that declines is rejected. In other zones, members
   * without consent receive no campaigns.
   * @returns null if consent must be asked for next
   * @throws INVITATION_INVALID if unknown, revoked or expired, without distinction
   * @throws INVITATION_OTHER_ADDRESS if the form or the session has a different email address
   * @throws ALREADY_MEMBER if the link was already used and nothing else is presented, and for people with a password
   * @throws CONSENT_REQUIRED, INVALID_CREDENTIALS, USERNAME_TAKEN, USERNAME_RESERVED, PASSWORD_UNCHANGED,
   * CONFIRMATION_REQUIRED, TOO_MANY_REQUESTS
   */
  async accept(dto: AcceptInviteDto, acceptor: Acceptor): Promise<AcceptanceResult | null> {
    const invitation = await this.invitationList.findByToken(dto.token);
    setPoolTenantOwner(invitation.ownerId);
    const { viewer } = acceptor;
    if (dto.email !== invitation.email || (viewer && viewer.email !== invitation.email)) {
      throw invitationErrors.INVITATION_OTHER_ADDRESS();
    }
    if (invitation.requiresEmailOptin && dto.emailConsent === false) throw zoneErrors.CONSENT_REQUIRED();
    if (invitation.requiresEmailOptin && !invitation.used && dto.emailConsent === undefined) {
      if (!viewer && dto.password) await this.checkPassword(invitation.email, dto.password, acceptor.origin);
      return null;
    }
    const hasConsented = dto.emailConsent === true;
    if (invitation.isExistingUser) return this.acceptAsExistingUser(invitation, acceptor, hasConsented);
    return this.acceptAsNewUser(invitation, dto, acceptor, hasConsented);
  }

  private async acceptAsExistingUser(
    invitation: FoundInvitation,
    acceptor: Acceptor,
    hasConsented: boolean,
  ): Promise<AcceptanceResult> {
    const { user, joined } = await inTransaction(this.em, async (em) => {
      const { user } = await this.lockInvitedUser(em, invitation, acceptor);
      const joined = await this.invitationAcceptance.acceptInvitation(em, invitation, user, acceptor, hasConsented);
      return { user, joined };
    });
    if (!joined) throw zoneErrors.ALREADY_MEMBER();
    return { invitation, user, signIn: null, isRestricted: false };
  }

  private async acceptAsNewUser(
    invitation: FoundInvitation,
    dto: AcceptInviteDto,
    acceptor: Acceptor,
    hasConsented: boolean,
  ): Promise<AcceptanceResult> {
    const { viewer, origin } = acceptor;
    const proven = !viewer && dto.password ? await this.checkPassword(invitation.email, dto.password, origin) : null;
    const profile = await this.readNewProfile(dto, invitation.email);
    return inTransaction(this.em, async (em) => {
      const accepted = proven
        ? await this.acceptByPassword(em, invitation, acceptor, hasConsented, proven)
        : viewer
          ? await this.acceptBySession(em, invitation, acceptor, hasConsented)
          : await this.acceptByLink(em, invitation, acceptor, hasConsented);
      // A link must not replace a password that was set in the meantime.
      if (!profile || accepted.user.password != null) return accepted;
      if (!accepted.isConfirmed) throw commonErrors.CONFIRMATION_REQUIRED();
      const entry = await this.profiles.completeProfileInTransaction(em, accepted.user.id, profile, origin);
      return { ...accepted, signIn: entry, isRestricted: false };
    });
  }

  private checkPassword(email: string, password: string, origin: SessionOrigin): Promise<VerifiedCredentials> {
    return this.signIns.verifyCredentials(email, password, origin).catch(async (error: unknown) => {
      await this.failures.recordSignInFailure(error, email, origin.ipAddress);
      throw error;
    });
  }

  private async acceptByPassword(
    em: EntityManager,
    invitation: FoundInvitation,
    acceptor: Acceptor,
    hasConsented: boolean,
    proven: VerifiedCredentials,
  ): Promise<NewUserAcceptanceResult> {
    const { language, origin, previousSid } = acceptor;
    const { signInResult, confirmed } = await this.signIns.signIn(proven, language, origin, previousSid);
    const { user } = signInResult;
    await this.setInitialNames(em, user, invitation);
    await this.invitationAcceptance.acceptInvitation(em, invitation, user, acceptor, hasConsented);
    // A sign-in that is waiting for its second factor proves nothing yet.
    return {
      invitation,
      user,
      signIn: signInResult,
      isRestricted: needsProfileCompletion(user),
      isConfirmed: confirmed && isSessionCreated(signInResult),
    };
  }

  private async acceptBySession(
    em: EntityManager,
    invitation: FoundInvitation,
    acceptor: Acceptor,
    hasConsented: boolean,
  ): Promise<NewUserAcceptanceResult> {
    const { restricted, isReauthenticated } = acceptor.viewer!;
    // What the session has proved counts only while it is open, and only for its own account.
    const { id } = await this.sessions.lockUserOfSession(em, acceptor.viewer!);
    const { user } = await this.lockInvitedUser(em, invitation, acceptor);
    if (user.id !== id) throw invitationErrors.INVITATION_OTHER_ADDRESS();
    await this.invitationAcceptance.acceptInvitation(em, invitation, user, acceptor, hasConsented);
    return { invitation, user, signIn: null, isRestricted: restricted, isConfirmed: isReauthenticated };
  }

  /** The link proves the address only once, so that an old email does not remain a key forever. */
  private async acceptByLink(
    em: EntityManager,
    invitation: FoundInvitation,
    acceptor: Acceptor,
    hasConsented: boolean,
  ): Promise<NewUserAcceptanceResult> {
    const { origin, previousSid } = acceptor;
    const { user, previousState } = await this.lockInvitedUser(em, invitation, acceptor);
    let entry: SignInResult | null = null;
    const onMemberAdded = async (em: EntityManager) => {
      if (hasPermanentSignIn(user)) return;
      entry = await this.signIns.createSession(em, user, origin, previousSid, { confirmed: false });
    };
    const joined = await this.invitationAcceptance.acceptInvitation(
      em,
      invitation,
      user,
      { ...acceptor, onMemberAdded },
      hasConsented,
    );
    if (!joined) throw zoneErrors.ALREADY_MEMBER();
    return {
      invitation,
      user,
      signIn: entry,
      isRestricted: false,
      isConfirmed: previousState === 'absent' && !user.isSuperAdmin,
    };
  }

  /**
   * Locks the user, so that a concurrent password change or deactivation happens before the session is created, or ends
   * it.
   */
  private async lockInvitedUser(
    em: EntityManager,
    invitation: FoundInvitation,
    { language }: Acceptor,
  ): Promise<VerifiedEmailResult> {
    const { user: found, previousState } = await this.users.findOrCreateVerifiedWithState(
      em,
      invitation.email,
      language,
    );
    await this.userRepository.saveUsers(em);
    const user = await this.userRepository.lockUser(em, found.id);
    if (user.deactivatedAt) throw invitationErrors.INVITATION_INVALID();
    await this.setInitialNames(em, user, invitation);
    return { user, previousState };
  }

  /** The names entered by the inviter are only initial values; the person is asked for their names anyway. */
  private async setInitialNames(
    em: EntityManager,
    user: User,
    { firstName, lastName }: FoundInvitation,
  ): Promise<void> {
    if (user.firstName != null || user.username != null || firstName === null) return;
    Object.assign(user, { firstName, lastName: lastName ?? NO_LAST_NAME });
    await this.users.saveProfile(em, user);
  }

  private async readNewProfile(dto: AcceptInviteDto, email: string): Promise<NewProfile | null> {
    const { firstName, lastName, username, newPassword } = dto;
    if (!firstName || !lastName || !username || !newPassword) return null;
    await this.credentials.assertPasswordChanged({ email, password: null }, newPassword, 'newPassword');
    const owner = { email, firstName, lastName, username };
    return {
      firstName,
      lastName,
      username,
      passwordHash: await this.users.validateAndHashPassword(newPassword, 'newPassword', owner),
    };
  }
}
