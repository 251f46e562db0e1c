import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { User } from '../entities/user.entity.js';
import type { MfaMethod } from '../mfa/mfa.repository.js';
import { MfaVerificationService } from '../mfa/mfa-verification.service.js';
import { SessionService, type SessionOrigin } from '../sessions/session.service.js';
import { ExternalAccountService } from '../single-sign-on/external-account.service.js';
import type { LinkedIdentity } from '../single-sign-on/single-sign-on.repository.js';
import { PendingSignInRepository } from './pending-sign-in.repository.js';

export interface CreatedSession {
  readonly user: User;
  readonly restricted: boolean;
  /** The session id for the cookie. */
  readonly sid: string;
}

/** A sign-in that waits for a second factor. */
export interface MfaRequired {
  readonly user: User;
  /** How it can continue, the quickest method first. */
  readonly methods: MfaMethod[];
  /** For the cookie of the pending sign-in. */
  readonly pendingToken: string;
}

/** The result of authenticating with one factor: a password, a code, an emailed link or a provider. */
export type SignInResult = CreatedSession | MfaRequired;

export interface SessionRequest {
  readonly origin: SessionOrigin;
  /** The session may only complete the profile. */
  readonly restricted: boolean;
  /** A provider identity that its owner has agreed to link; linked only when the sign-in is complete. */
  readonly identity?: LinkedIdentity;
  /**
   * Whether the user has just proved who they are by a secret of their own. False after an emailed link or invitation,
   * which may have been forwarded, and after single sign-on, where the provider may have asked for nothing. Routes that
   * can change who owns the account then require a confirmation (docs/security.md, "What each kind of session may do").
   */
  readonly confirmed: boolean;
}

/** A session opened by a second factor, which always counts as confirmed. */
export type MfaSessionRequest = Omit<SessionRequest, 'confirmed'>;

/** The only class that creates sessions; an architecture test enforces this. Runs in the caller's transaction. */
@Injectable()
export class SessionIssuerService {
  constructor(
    private readonly sessions: SessionService,
    private readonly mfaVerification: MfaVerificationService,
    private readonly pendingSignIns: PendingSignInRepository,
    private readonly externalAccounts: ExternalAccountService,
  ) {}

  /**
   * Creates a session for a user who has authenticated with one factor, unless a second factor is enrolled.
   * @throws SSO_LINKED_ELSEWHERE
   */
  async createSession(em: EntityManager, user: User, session: SessionRequest): Promise<SignInResult> {
    const { origin, restricted, identity, confirmed } = session;
    const factors = await this.mfaVerification.listMethods(em, user.id);
    if (factors.length > 0) {
      return {
        user,
        methods: factors,
        pendingToken: await this.pendingSignIns.insertPendingSignIn(em, user.id, restricted, identity ?? null),
      };
    }
    if (identity) await this.externalAccounts.linkIdentity(em, user, identity, origin);
    return { user, restricted, sid: await this.sessions.createSession(em, user.id, restricted, origin, confirmed) };
  }

  /** Creates a session after a second factor, or a passkey that is both factors. @throws SSO_LINKED_ELSEWHERE */
  async createSessionAfterMfa(em: EntityManager, user: User, session: MfaSessionRequest): Promise<CreatedSession> {
    const { origin, restricted, identity } = session;
    if (identity) await this.externalAccounts.linkIdentity(em, user, identity, origin);
    return { user, restricted, sid: await this.sessions.createSession(em, user.id, restricted, origin, true) };
  }

  /**
   * Creates a session that replaces a full one of the same user, which the caller has checked and ends.
   * @param session `confirmed` as it was for the replaced session
   */
  async replaceSession(
    em: EntityManager,
    user: User,
    session: Pick<SessionRequest, 'origin' | 'confirmed'>,
  ): Promise<CreatedSession> {
    const { origin, confirmed } = session;
    return { user, restricted: false, sid: await this.sessions.createSession(em, user.id, false, origin, confirmed) };
  }
}

/** Returns true if a session was created, false if the sign-in waits for a second factor. */
export function isSessionCreated(result: SignInResult): result is CreatedSession {
  return 'sid' in result;
}
