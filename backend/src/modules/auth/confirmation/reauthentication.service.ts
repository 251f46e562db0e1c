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
import { PasskeyVerificationService } from '../passkeys/passkey-verification.service.js';
import { PasswordConfirmationService } from '../passwords/password-confirmation.service.js';
import { sessionRequesterId } from '../shared/session-requester.js';
import { SessionService } from '../sessions/session.service.js';
import { UserService } from '../users/user.service.js';
import { VerificationCodeService } from '../registration/verification-code.service.js';
import { sendConfirmationCode } from '../auth.jobs.js';

/** A session that a forwarded email opened must not use up what the owner's session needs, so both are counted. */
const CODES_PER_SESSION: RateRule = { name: 'confirm-code', limit: 10, window: 15 * MINUTE };
const CODES_PER_USER: RateRule = { name: 'confirm-code-all', limit: 30, window: 15 * MINUTE };
const EMAILS_PER_SESSION: RateRule = { name: 'confirm-mail', limit: 5, window: HOUR };
const EMAILS_PER_USER: RateRule = { name: 'confirm-mail-all', limit: 15, window: HOUR };

/** By what somebody can show that it is them. */
export type ReauthenticationMethod = 'passkey' | 'totp' | 'password' | 'mail';

/** Asks a signed-in person to show once more that it is them, before what a stolen session must not do. */
@Injectable()
export class ReauthenticationService {
  constructor(
    private readonly em: EntityManager,
    private readonly users: UserService,
    private readonly passwordConfirmation: PasswordConfirmationService,
    private readonly mfaVerification: MfaVerificationService,
    private readonly mfaAttempts: MfaAttemptLimiterService,
    private readonly passkeys: PasskeyVerificationService,
    private readonly codes: VerificationCodeService,
    private readonly sessions: SessionService,
    private readonly limits: RateLimitService,
    private readonly jobs: JobsService,
  ) {}

  /** What this person can confirm by. A mailed code is for those who have nothing else, so that nobody is stuck. */
  async listMethods(userId: number): Promise<ReauthenticationMethod[]> {
    const { password } = await this.users.findById(userId);
    const methods: ReauthenticationMethod[] = [];
    if (await this.passkeys.hasUserVerifyingPasskey(this.em, userId)) methods.push('passkey');
    if ((await this.mfaVerification.listMethods(this.em, userId)).includes('totp')) methods.push('totp');
    if (password != null) methods.push('password');
    return methods.length > 0 ? methods : ['mail'];
  }

  /**
   * Confirms by the password; a try counts before it is compared.
   * @returns until when the session counts as confirmed
   * @throws WRONG_PASSWORD, TOO_MANY_REQUESTS; NOT_SIGNED_IN when the session ended meanwhile
   */
  async confirmByPassword({ userId, sessionId }: Viewer, password: string): Promise<Date> {
    const hash = await this.passwordConfirmation.verifyPassword(userId, password);
    return this.markConfirmed(userId, sessionId, (_, user) => {
      if (user.password !== hash) throw authErrors.WRONG_PASSWORD();
    });
  }

  /**
   * Confirms by a code of the person's authenticator app or, where they have nothing, by the code that was mailed; a try
   * counts before it is compared.
   * @returns until when the session counts as confirmed
   * @throws CODE_INVALID, TOO_MANY_REQUESTS; NOT_SIGNED_IN when the session ended meanwhile
   */
  async confirmByCode(viewer: Viewer, code: string): Promise<Date> {
    const { userId, sessionId } = viewer;
    if ((await this.listMethods(userId)).includes('totp')) return this.confirmByAuthenticator(viewer, code);
    await this.limits.consume(CODES_PER_SESSION, sessionId ?? 0);
    await this.limits.consume(CODES_PER_USER, userId);
    const { email } = await this.users.findById(userId);
    const codeId = await this.codes.verifyCode(email, 'confirm', code, [sessionRequesterId(sessionId)]);
    const until = await this.markConfirmed(userId, sessionId, async (em, user) => {
      if (user.email !== email) throw authErrors.CODE_INVALID();
      await this.codes.consumeCode(em, codeId);
    });
    await this.limits.reset(CODES_PER_SESSION, sessionId ?? 0);
    await this.limits.reset(CODES_PER_USER, userId);
    return until;
  }

  /** What the browser asks the person's passkeys: as at signing in by one alone, the device must ask who holds it. */
  createPasskeyOptions(viewer: Viewer): Promise<PublicKeyCredentialRequestOptionsJSON> {
    return this.passkeys.createRequestOptions(this.em, challengeHolder(viewer), {
      userId: viewer.userId,
      mustVerifyUser: true,
    });
  }

  /**
   * Confirms by a passkey.
   * @returns until when the session counts as confirmed
   * @throws PASSKEY_INVALID, TOO_MANY_REQUESTS; NOT_SIGNED_IN when the session ended meanwhile
   */
  async confirmByPasskey(viewer: Viewer, assertion: AuthenticationResponseJSON): Promise<Date> {
    const { userId, sessionId } = viewer;
    await this.mfaAttempts.countSessionAttempt(sessionId);
    const challenge = await this.passkeys.consumeChallenge(challengeHolder(viewer), assertion);
    const until = await this.markConfirmed(userId, sessionId, async (em) => {
      const isValid = await this.passkeys.verifyAssertion(em, assertion, challenge, { userId, mustVerifyUser: true });
      if (!isValid) throw passkeyErrors.PASSKEY_INVALID();
    });
    await this.mfaAttempts.resetSessionAttempts(sessionId);
    return until;
  }

  /**
   * Has a code mailed to somebody who has nothing else to confirm by.
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

  /** Looks once more under the lock of the person's row: what was right a moment ago may have been changed since. */
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
