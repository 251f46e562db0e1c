import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { AuthenticationResponseJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import { HOUR, MINUTE } from '../../../platform/clock/clock.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { RateLimitService, type RateRule } from '../../../platform/http/limits/rate-limit.service.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { authErrors, passkeyErrors } from '../auth.errors.js';
import type { User } from '../entities/user.entity.js';
import { MfaVerificationService } from '../mfa/mfa-verification.service.js';
import { MfaAttemptLimiterService } from '../mfa/mfa-attempt-limiter.service.js';
import type { ChallengeHolder } from '../passkeys/passkey-challenge.service.js';
import { PasskeyRepository } from '../passkeys/passkey.repository.js';
import { PasskeyVerificationService } from '../passkeys/passkey-verification.service.js';
import { PasswordConfirmationService } from '../passwords/password-confirmation.service.js';
import { sessionRequesterId } from '../shared/session-requester.js';
import { SessionService } from '../sessions/session.service.js';
import { UserRepository } from '../users/user.repository.js';
import { VerificationCodeService } from '../registration/verification-code.service.js';
import { sendConfirmationCode } from '../auth.jobs.js';

/** Counted per session and per user: a session opened by a forwarded email must not use up the owner's limit. */
const CODES_PER_SESSION: RateRule = { name: 'confirm-code', limit: 10, window: 15 * MINUTE };
const CODES_PER_USER: RateRule = { name: 'confirm-code-all', limit: 30, window: 15 * MINUTE };
const EMAILS_PER_SESSION: RateRule = { name: 'confirm-mail', limit: 5, window: HOUR };
const EMAILS_PER_USER: RateRule = { name: 'confirm-mail-all', limit: 15, window: HOUR };

/** How a user can reauthenticate. */
export type ReauthenticationMethod = 'passkey' | 'totp' | 'password' | 'mail';

/** Reauthenticates signed-in users before actions that a stolen session must not be able to perform. */
@Injectable()
export class ReauthenticationService {
  constructor(
    private readonly em: EntityManager,
    private readonly users: UserRepository,
    private readonly passwordConfirmation: PasswordConfirmationService,
    private readonly mfaVerification: MfaVerificationService,
    private readonly mfaAttempts: MfaAttemptLimiterService,
    private readonly passkeys: PasskeyRepository,
    private readonly passkeyVerification: PasskeyVerificationService,
    private readonly codes: VerificationCodeService,
    private readonly sessions: SessionService,
    private readonly limits: RateLimitService,
    private readonly jobs: JobsService,
  ) {}

  /**
   * Returns the methods the user can use. An emailed code is only for users with no other method, so that nobody is
   * stuck.
   */
  async listMethods(userId: number): Promise<ReauthenticationMethod[]> {
    const { password } = await this.users.getManagedUser(userId);
    const methods: ReauthenticationMethod[] = [];
    if (await this.passkeys.hasUserVerifyingPasskey(userId)) methods.push('passkey');
    if ((await this.mfaVerification.listMethods(this.em, userId)).includes('totp')) methods.push('totp');
    if (password != null) methods.push('password');
    return methods.length > 0 ? methods : ['mail'];
  }

  /**
   * Confirms the session by password. The attempt is counted before the comparison.
   * @returns until when the session counts as confirmed
   * @throws WRONG_PASSWORD, TOO_MANY_REQUESTS; NOT_SIGNED_IN if the session has since ended
   */
  async confirmByPassword({ userId, sessionId }: Viewer, password: string): Promise<Date> {
    const hash = await this.passwordConfirmation.verifyPassword(userId, password);
    return this.markConfirmed(userId, sessionId, (_, user) => {
      if (user.password !== hash) throw authErrors.WRONG_PASSWORD();
    });
  }

  /**
   * Confirms the session by a code of the authenticator app or, for users with no other method, by the emailed code.
   * The attempt is counted before the comparison.
   * @returns until when the session counts as confirmed
   * @throws CODE_INVALID, TOO_MANY_REQUESTS; NOT_SIGNED_IN if the session has since ended
   */
  async confirmByCode(viewer: Viewer, code: string): Promise<Date> {
    const { userId, sessionId } = viewer;
    if ((await this.listMethods(userId)).includes('totp')) return this.confirmByAuthenticator(viewer, code);
    await this.limits.consume(CODES_PER_SESSION, sessionId ?? 0);
    await this.limits.consume(CODES_PER_USER, userId);
    const { email } = await this.users.getManagedUser(userId);
    const codeId = await this.codes.verifyCode(email, 'confirm', code, [sessionRequesterId(sessionId)]);
    const until = await this.markConfirmed(userId, sessionId, async (em, user) => {
      if (user.email !== email) throw authErrors.CODE_INVALID();
      await this.codes.consumeCode(em, codeId);
    });
    await this.limits.reset(CODES_PER_SESSION, sessionId ?? 0);
    await this.limits.reset(CODES_PER_USER, userId);
    return until;
  }

  /** Creates the WebAuthn request options. User verification is required, as for signing in with a passkey alone. */
  createPasskeyOptions(viewer: Viewer): Promise<PublicKeyCredentialRequestOptionsJSON> {
    return this.passkeyVerification.createRequestOptions(challengeHolder(viewer), {
      userId: viewer.userId,
      mustVerifyUser: true,
    });
  }

  /**
   * Confirms the session by passkey.
   * @returns until when the session counts as confirmed
   * @throws PASSKEY_INVALID, TOO_MANY_REQUESTS; NOT_SIGNED_IN if the session has since ended
   */
  async confirmByPasskey(viewer: Viewer, assertion: AuthenticationResponseJSON): Promise<Date> {
    const { userId, sessionId } = viewer;
    await this.mfaAttempts.countSessionAttempt(sessionId);
    const challenge = await this.passkeyVerification.consumeChallenge(challengeHolder(viewer), assertion);
    const until = await this.markConfirmed(userId, sessionId, async (em) => {
      const isValid = await this.passkeyVerification.verifyAssertion(em, assertion, challenge, {
        userId,
        mustVerifyUser: true,
      });
      if (!isValid) throw passkeyErrors.PASSKEY_INVALID();
    });
    await this.mfaAttempts.resetSessionAttempts(sessionId);
    return until;
  }

  /**
   * Emails a code to a user who has no other method.
   * @throws CONFIRMATION_BY_OTHER_MEANS, TOO_MANY_REQUESTS
   */
  async sendConfirmationCode({ userId, sessionId }: Viewer): Promise<void> {
    if (!(await this.listMethods(userId)).includes('mail')) throw authErrors.CONFIRMATION_BY_OTHER_MEANS();
    await this.limits.consume(EMAILS_PER_SESSION, sessionId ?? 0);
    await this.limits.consume(EMAILS_PER_USER, userId);
    await this.jobs.enqueue(this.em, sendConfirmationCode, { userId, sessionId });
  }

  private async confirmByAuthenticator({ userId, sessionId }: Viewer, code: string): Promise<Date> {
    await this.mfaAttempts.countSessionAttempt(sessionId);
    const until = await this.markConfirmed(userId, sessionId, async (em) => {
      if (!(await this.mfaVerification.verifyProof(em, userId, { code }, null))) throw authErrors.CODE_INVALID();
    });
    await this.mfaAttempts.resetSessionAttempts(sessionId);
    return until;
  }

  /** Repeats the check under the lock of the user's row, because what was checked may have changed since. */
  private markConfirmed(
    userId: number,
    sessionId: number | null,
    check: (em: EntityManager, user: User) => Promise<void> | void,
  ): Promise<Date> {
    return inTransaction(this.em, async (em) => {
      await check(em, await this.sessions.lockUserOfSession(em, { userId, sessionId }));
      const until = await this.sessions.markSessionConfirmed(em, sessionId);
      if (until === null) throw commonErrors.NOT_SIGNED_IN();
      return until;
    });
  }
}

const challengeHolder = ({ sessionId }: Viewer): ChallengeHolder => ({
  purpose: 'confirm',
  holder: `session ${sessionId}`,
});
