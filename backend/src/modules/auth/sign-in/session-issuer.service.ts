import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { User } from '../entities/user.entity.js';
import { MfaVerificationService, type MfaMethod } from '../mfa/mfa-verification.service.js';
import { SessionService, type SessionOrigin } from '../sessions/session.service.js';
import { ExternalAccountService, type LinkedIdentity } from '../single-sign-on/external-account.service.js';
import { PendingSignInService } from './pending-sign-in.service.js';

/** A session that was opened. */
export interface CreatedSession {
  readonly user: User;
  readonly restricted: boolean;
  /** For the cookie. */
  readonly sid: string;
}

/** A sign-in that waits for a second factor. */
export interface MfaRequired {
  readonly user: User;
  /** By what it can go on, the quickest first. */
  readonly methods: MfaMethod[];
  /** For the cookie of the sign-in that waits. */
  readonly pendingToken: string;
}

/** What comes of showing who one is by one way: a password, a code, a mailed link, a provider. */
export type SignInResult = CreatedSession | MfaRequired;

/** Where a session is opened, and which. */
export interface SessionRequest {
  readonly origin: SessionOrigin;
  /** The session may only finish the profile. */
  readonly restricted: boolean;
  /** An identity of a provider that its owner has agreed to: connected when the sign-in is whole, not before. */
  readonly identity?: LinkedIdentity;
  /**
   * Whether the person has just proved who they are by a secret of their own. False after a mailed link or invitation,
   * which may have been forwarded, and after single sign-on, where the provider may have asked nobody. Routes that can
   * change who owns the account then require a confirmation (docs/security.md, "What each kind of session may do").
   */
  readonly confirmed: boolean;
}

/** A session opened by a second factor, which always counts as confirmed. */
export type MfaSessionRequest = Omit<SessionRequest, 'confirmed'>;

/**
 * The one place in which sessions are opened; a test of the architecture finds any other. What it does belongs to the
 * caller's transaction.
 */
@Injectable()
export class SessionIssuerService {
  constructor(
    private readonly sessions: SessionService,
    private readonly mfaVerification: MfaVerificationService,
    private readonly pendingSignIns: PendingSignInService,
    private readonly externalAccounts: ExternalAccountService,
  ) {}

  /**
   * For somebody who has shown who they are by one way: opens a session unless they have a second factor to show.
   * @throws SSO_LINKED_ELSEWHERE
   */
  async createSession(em: EntityManager, user: User, session: SessionRequest): Promise<SignInResult> {
    const { origin, restricted, identity, confirmed } = session;
    const factors = await this.mfaVerification.listMethods(em, user.id);
    if (factors.length > 0) {
      return {
        user,
        methods: factors,
        pendingToken: await this.pendingSignIns.createPendingSignIn(em, user.id, restricted, identity ?? null),
      };
    }
    if (identity) await this.externalAccounts.linkIdentity(em, user, identity, origin);
    return { user, restricted, sid: await this.sessions.createSession(em, user.id, restricted, origin, confirmed) };
  }

  /** For somebody who has shown a second factor, or a passkey that is both. @throws SSO_LINKED_ELSEWHERE */
  async createSessionAfterMfa(em: EntityManager, user: User, session: MfaSessionRequest): Promise<CreatedSession> {
    const { origin, restricted, identity } = session;
    if (identity) await this.externalAccounts.linkIdentity(em, user, identity, origin);
    return { user, restricted, sid: await this.sessions.createSession(em, user.id, restricted, origin, true) };
  }

  /**
   * Replaces a full session of the same person, which the caller has checked and ends.
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

/** Whether a session was opened, not a sign-in held. */
export function isSessionCreated(result: SignInResult): result is CreatedSession {
  return 'sid' in result;
}
