import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { chargeOwner } from '../../../../platform/database/pool/places.js';
import { inTransaction } from '../../../../platform/database/transaction.js';
import { commonErrors } from '../../../../platform/errors/common.errors.js';
import type { Language } from '../../../../platform/errors/app-error.js';
import type { Viewer } from '../../../../platform/http/reading/viewer.js';
import { CredentialService } from '../../../auth/passwords/credential.service.js';
import type { User } from '../../../auth/entities/user.entity.js';
import { ProfileCompletionService } from '../../../auth/registration/profile-completion.service.js';
import { hasOwnSignIn, needsProfileCompletion } from '../../../auth/access/user.policy.js';
import { SessionService, type SessionOrigin } from '../../../auth/sessions/session.service.js';
import { SignInService, type ProvenPerson } from '../../../auth/sign-in/sign-in.service.js';
import { SignInFailures } from '../../../auth/trail/sign-in-failures.service.js';
import { isOpened, type Entry } from '../../../auth/sign-in/session-opener.service.js';
import { UserService, type Profile, type ProvenAddress } from '../../../auth/users/user.service.js';
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
  /** null for people who can sign in without an email, who do so, and for whoever is signed in. */
  readonly entry: Entry | null;
  /** The session may only finish the profile. */
  readonly isRestricted: boolean;
}

/** `confirmed`: the request proved that the account is theirs, so that it may set the first password. */
type AcceptedNew = Accepted & { readonly confirmed: boolean };

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
    private readonly sessions: SessionService,
    private readonly failures: SignInFailures,
    private readonly profiles: ProfileCompletionService,
    private readonly credentials: CredentialService,
  ) {}

  /**
   * Lets the person in. The token proves the address: people who can sign in without an email become members without a
   * session. For others it creates the account and opens a session that reads, the first time; or they enter the temporary
   * password of the email, which opens a restricted session each time. With a profile in the request the session is a full
   * one. A profile sets a password, so it is taken only for an account that this request creates or from a confirmed
   * session: an invitation may have been forwarded. A second factor is asked for. Whoever is signed in keeps their session.
   * Consent to the zone's emails must be given explicitly. Where the zone requires it, a request that says nothing about
   * it is asked for it as the next step and changes nothing; one that declines it is refused. Elsewhere a member without
   * consent gets no campaigns.
   * @returns null when the consent is asked for next
   * @throws INVITATION_INVALID for an unknown, revoked or expired one, all alike
   * @throws INVITATION_OTHER_ADDRESS when the form or the session names another address
   * @throws ALREADY_MEMBER when the link has done its work, to whoever shows nothing else, and to people with a password
   * @throws CONSENT_REQUIRED, INVALID_CREDENTIALS, USERNAME_TAKEN, PASSWORD_UNCHANGED, CONFIRMATION_REQUIRED,
   * TOO_MANY_REQUESTS
   */
  async accept(dto: AcceptInviteDto, acceptor: Acceptor): Promise<Accepted | null> {
    const invitation = await this.invitations.find(dto.token);
    chargeOwner(invitation.ownerId);
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
    if (invitation.isExistingUser) return this.acceptSignedIn(invitation, acceptor, hasConsented);
    return this.acceptNew(invitation, dto, acceptor, hasConsented);
  }

  private async acceptSignedIn(
    invitation: FoundInvitation,
    acceptor: Acceptor,
    hasConsented: boolean,
  ): Promise<Accepted> {
    const { user, joined } = await inTransaction(this.em, async (em) => {
      const { user } = await this.newcomer(em, invitation, acceptor);
      const joined = await this.entry.enter(em, invitation, user, acceptor, hasConsented);
      return { user, joined };
    });
    if (!joined) throw zoneErrors.ALREADY_MEMBER();
    return { invitation, user, entry: null, isRestricted: false };
  }

  private async acceptNew(
    invitation: FoundInvitation,
    dto: AcceptInviteDto,
    acceptor: Acceptor,
    hasConsented: boolean,
  ): Promise<Accepted> {
    const { viewer, origin } = acceptor;
    const proven = !viewer && dto.password ? await this.checkPassword(invitation.email, dto.password, origin) : null;
    const profile = await this.profileOf(dto, invitation.email);
    return inTransaction(this.em, async (em) => {
      const accepted = proven
        ? await this.byPassword(em, invitation, acceptor, hasConsented, proven)
        : viewer
          ? await this.bySession(em, invitation, acceptor, hasConsented)
          : await this.byLink(em, invitation, acceptor, hasConsented);
      // Who has come to have a password meanwhile gets no other one by a link.
      if (!profile || accepted.user.password != null) return accepted;
      if (!accepted.confirmed) throw commonErrors.CONFIRMATION_REQUIRED();
      const entry = await this.profiles.completeIn(em, accepted.user.id, profile, origin);
      return { ...accepted, entry, isRestricted: false };
    });
  }

  private checkPassword(email: string, password: string, origin: SessionOrigin): Promise<ProvenPerson> {
    return this.signIns.authenticate(email, password, origin).catch(async (error: unknown) => {
      await this.failures.note(error, email, origin.ipAddress);
      throw error;
    });
  }

  private async byPassword(
    em: EntityManager,
    invitation: FoundInvitation,
    acceptor: Acceptor,
    hasConsented: boolean,
    proven: ProvenPerson,
  ): Promise<AcceptedNew> {
    const { language, origin, previousSid } = acceptor;
    const { entry, confirmed } = await this.signIns.signIn(proven, language, origin, previousSid);
    const { user } = entry;
    await this.startNames(em, user, invitation);
    await this.entry.enter(em, invitation, user, acceptor, hasConsented);
    // A sign-in that waits for a second factor has proved nothing yet.
    return {
      invitation,
      user,
      entry,
      isRestricted: needsProfileCompletion(user),
      confirmed: confirmed && isOpened(entry),
    };
  }

  private async bySession(
    em: EntityManager,
    invitation: FoundInvitation,
    acceptor: Acceptor,
    hasConsented: boolean,
  ): Promise<AcceptedNew> {
    const { restricted, confirmed } = acceptor.viewer!;
    // What the session has proved counts only while it is open, and for its own account.
    const { id } = await this.sessions.lock(em, acceptor.viewer!);
    const { user } = await this.newcomer(em, invitation, acceptor);
    if (user.id !== id) throw invitationErrors.INVITATION_OTHER_ADDRESS();
    await this.entry.enter(em, invitation, user, acceptor, hasConsented);
    return { invitation, user, entry: null, isRestricted: restricted, confirmed };
  }

  /** The link is the proof, and one time only: an old mail that somebody finds must not be a key for good. */
  private async byLink(
    em: EntityManager,
    invitation: FoundInvitation,
    acceptor: Acceptor,
    hasConsented: boolean,
  ): Promise<AcceptedNew> {
    const { origin, previousSid } = acceptor;
    const { user, before } = await this.newcomer(em, invitation, acceptor);
    let entry: Entry | null = null;
    const alsoWrite = async (em: EntityManager) => {
      if (hasOwnSignIn(user)) return;
      entry = await this.signIns.enter(em, user, origin, previousSid, { confirmed: false });
    };
    const joined = await this.entry.enter(em, invitation, user, { ...acceptor, alsoWrite }, hasConsented);
    if (!joined) throw zoneErrors.ALREADY_MEMBER();
    return { invitation, user, entry, isRestricted: false, confirmed: before === 'absent' && !user.isSuperAdmin };
  }

  /** Locked, so that a password or a deactivation comes before the session or ends it, never between. */
  private async newcomer(
    em: EntityManager,
    invitation: FoundInvitation,
    { language }: Acceptor,
  ): Promise<ProvenAddress> {
    const { user: found, before } = await this.users.proveAddress(em, invitation.email, language);
    await em.flush();
    const user = await this.users.lock(em, found.id);
    if (user.deactivatedAt) throw invitationErrors.INVITATION_INVALID();
    await this.startNames(em, user, invitation);
    return { user, before };
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
