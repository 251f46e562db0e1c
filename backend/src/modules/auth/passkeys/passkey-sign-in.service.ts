import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { AuthenticationResponseJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import { AuditRepository } from '../../../platform/audit/audit.repository.js';
import { setPoolTenantPerson } from '../../../platform/database/pool/pool-partitioning.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { authErrors, passkeyErrors } from '../auth.errors.js';
import { SessionRepository } from '../sessions/session.repository.js';
import type { SessionOrigin } from '../sessions/session.service.js';
import { SessionIssuerService, type CreatedSession } from '../sign-in/session-issuer.service.js';
import { AuthFailureService } from '../security-events/auth-failure.service.js';
import { UserRepository } from '../users/user.repository.js';
import type { ChallengeHolder } from './passkey-challenge.service.js';
import { PasskeyRepository } from './passkey.repository.js';
import { PasskeyVerificationService } from './passkey-verification.service.js';

/** Signs in by passkey alone: the device and its PIN, fingerprint or face check are two factors. */
@Injectable()
export class PasskeySignInService {
  constructor(
    private readonly em: EntityManager,
    private readonly passkeys: PasskeyRepository,
    private readonly passkeyVerification: PasskeyVerificationService,
    private readonly users: UserRepository,
    private readonly sessionIssuer: SessionIssuerService,
    private readonly sessions: SessionRepository,
    private readonly authFailures: AuthFailureService,
    private readonly audit: AuditRepository,
  ) {}

  /** Creates request options for any passkey of this site. */
  createRequestOptions(browserId: string): Promise<PublicKeyCredentialRequestOptionsJSON> {
    return this.passkeyVerification.createRequestOptions(challengeHolder(browserId), {
      userId: null,
      mustVerifyUser: true,
    });
  }

  /**
   * Creates a session and ends the browser's previous one.
   * @param browserId the id in the browser's cookie
   * @throws PASSKEY_INVALID for any error; ACCOUNT_DEACTIVATED only after a valid assertion
   */
  async completeSignIn(
    browserId: string | null,
    assertion: AuthenticationResponseJSON,
    origin: SessionOrigin,
    previousSid: string | null,
  ): Promise<CreatedSession> {
    const challenge =
      browserId === null
        ? null
        : await this.passkeyVerification.consumeChallenge(challengeHolder(browserId), assertion);
    const userId = await this.passkeys.findOwner(assertion.id);
    try {
      if (userId === null) throw passkeyErrors.PASSKEY_INVALID();
      const session = await this.createSession(userId, assertion, challenge, origin);
      if (previousSid !== null) await this.sessions.deleteSessionOfCookie(previousSid);
      return session;
    } catch (error) {
      await this.authFailures.recordPasskeyFailure(error, userId, origin.ipAddress);
      throw error;
    }
  }

  private createSession(
    userId: number,
    assertion: AuthenticationResponseJSON,
    challenge: string | null,
    origin: SessionOrigin,
  ): Promise<CreatedSession> {
    setPoolTenantPerson(userId);
    return inTransaction(this.em, async (em) => {
      const user = await this.users.lockUser(em, userId);
      if (
        !(await this.passkeyVerification.verifyAssertion(em, assertion, challenge, { userId, mustVerifyUser: true }))
      ) {
        throw passkeyErrors.PASSKEY_INVALID();
      }
      if (user.deactivatedAt) throw authErrors.ACCOUNT_DEACTIVATED();
      const { ipAddress } = origin;
      await this.audit.record(em, { type: 'user.signed-in', actorId: userId, subjectId: userId, ipAddress });
      return this.sessionIssuer.createSessionAfterMfa(em, user, { origin, restricted: false });
    });
  }
}

const challengeHolder = (browser: string): ChallengeHolder => ({ purpose: 'sign-in', holder: `browser ${browser}` });
