import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { AuthenticationResponseJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import { AuditRepository } from '../../../platform/audit/audit.repository.js';
import { setPoolTenantPerson } from '../../../platform/database/pool/pool-partitioning.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { authErrors, passkeyErrors } from '../auth.errors.js';
import type { MfaMethod } from '../mfa/mfa.repository.js';
import { MfaVerificationService, type MfaProof } from '../mfa/mfa-verification.service.js';
import { MfaAttemptLimiterService } from '../mfa/mfa-attempt-limiter.service.js';
import { PasskeyVerificationService } from '../passkeys/passkey-verification.service.js';
import type { ChallengeHolder } from '../passkeys/passkey-challenge.service.js';
import { SessionRepository } from '../sessions/session.repository.js';
import type { SessionOrigin } from '../sessions/session.service.js';
import { AuthFailureService } from '../security-events/auth-failure.service.js';
import { UserRepository } from '../users/user.repository.js';
import { PendingSignInRepository, type PendingSignInRow } from './pending-sign-in.repository.js';
import { SessionIssuerService, type CreatedSession } from './session-issuer.service.js';

/** The second factor as the page sends it. */
export type MfaInput =
  { readonly code: string } | { readonly recoveryCode: string } | { readonly passkey: AuthenticationResponseJSON };

/** The second step of a sign-in. */
@Injectable()
export class MfaSignInService {
  constructor(
    private readonly em: EntityManager,
    private readonly pendingSignIns: PendingSignInRepository,
    private readonly mfaVerification: MfaVerificationService,
    private readonly passkeys: PasskeyVerificationService,
    private readonly mfaAttempts: MfaAttemptLimiterService,
    private readonly users: UserRepository,
    private readonly sessionIssuer: SessionIssuerService,
    private readonly sessions: SessionRepository,
    private readonly authFailures: AuthFailureService,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * Returns the methods to continue the sign-in of this token.
   * @throws SIGN_IN_OVER
   */
  async listMethods(token: string | null): Promise<MfaMethod[]> {
    const { userId } = await this.findPendingSignIn(token);
    const methods = await this.mfaVerification.listMethods(this.em, userId);
    if (methods.length === 0) throw authErrors.SIGN_IN_OVER();
    return methods;
  }

  /**
   * Creates the request options for the user's passkeys.
   * @throws SIGN_IN_OVER
   */
  async createPasskeyOptions(token: string | null): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const { id, userId } = await this.findPendingSignIn(token);
    return this.passkeys.createRequestOptions(challengeHolder(id), { userId, mustVerifyUser: false });
  }

  /**
   * Completes a pending sign-in: creates the session and ends the browser's previous one.
   * @param token of the pending sign-in
   * @throws SIGN_IN_OVER for an unknown, expired or completed one (the cases are not distinguished)
   * @throws CODE_INVALID, PASSKEY_INVALID, TOO_MANY_REQUESTS
   * @throws SSO_LINKED_ELSEWHERE if the identity to be linked belongs to another account by now
   */
  async completeSignIn(
    token: string | null,
    input: MfaInput,
    origin: SessionOrigin,
    previousSid: string | null,
  ): Promise<CreatedSession> {
    const pendingSignIn = await this.findPendingSignIn(token);
    const attempt = { ...pendingSignIn, name: `sign-in ${pendingSignIn.id}` };
    try {
      const deviceTrust = await this.mfaAttempts.countAttempt(attempt, origin);
      const session = await this.createSession(pendingSignIn, await this.toProof(pendingSignIn, input), origin);
      await this.mfaAttempts.resetAttempts(attempt, origin, deviceTrust);
      if (previousSid !== null) await this.sessions.deleteSessionOfCookie(previousSid);
      return session;
    } catch (error) {
      await this.authFailures.recordMfaFailure(error, pendingSignIn.userId, origin.ipAddress);
      throw error;
    }
  }

  private createSession(
    pendingSignIn: PendingSignInRow,
    proof: MfaProof,
    origin: SessionOrigin,
  ): Promise<CreatedSession> {
    setPoolTenantPerson(pendingSignIn.userId);
    return inTransaction(this.em, async (em) => {
      const user = await this.users.lockUser(em, pendingSignIn.userId);
      const used = await this.pendingSignIns.consumePendingSignIn(em, pendingSignIn.id);
      if (user.deactivatedAt || !used) throw authErrors.SIGN_IN_OVER();
      const { ipAddress } = origin;
      if (!(await this.mfaVerification.verifyProof(em, user.id, proof, ipAddress))) {
        throw 'passkey' in proof ? passkeyErrors.PASSKEY_INVALID() : authErrors.CODE_INVALID();
      }
      const identity = used.identity ?? undefined;
      await this.audit.record(em, { type: 'user.signed-in', actorId: user.id, subjectId: user.id, ipAddress });
      return this.sessionIssuer.createSessionAfterMfa(em, user, {
        origin,
        restricted: pendingSignIn.restricted,
        identity,
      });
    });
  }

  /** Consumes the passkey challenge outside the transaction, so that it is used up whatever the result. */
  private async toProof({ id }: PendingSignInRow, input: MfaInput): Promise<MfaProof> {
    if (!('passkey' in input)) return input;
    return { ...input, challenge: await this.passkeys.consumeChallenge(challengeHolder(id), input.passkey) };
  }

  private async findPendingSignIn(token: string | null): Promise<PendingSignInRow> {
    const pendingSignIn = await this.pendingSignIns.findPendingSignIn(token);
    if (!pendingSignIn) throw authErrors.SIGN_IN_OVER();
    return pendingSignIn;
  }
}

const challengeHolder = (pendingId: number): ChallengeHolder => ({ purpose: 'factor', holder: `sign-in ${pendingId}` });
