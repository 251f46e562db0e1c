import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { AuthenticationResponseJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import { HOUR, MINUTE } from '../../../platform/clock/clock.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { commonErrors } from '../../../platform/errors/common.errors.js';
import { RateLimits, type RateRule } from '../../../platform/http/limits/rate-limits.service.js';
import type { Viewer } from '../../../platform/http/reading/viewer.js';
import { Jobs } from '../../../platform/jobs/jobs.service.js';
import { authErrors, passkeyErrors } from '../auth.errors.js';
import type { User } from '../entities/user.entity.js';
import { FactorChecker } from '../factors/factor-checker.service.js';
import { FactorTries } from '../factors/factor-tries.service.js';
import type { ChallengeHolder } from '../passkeys/passkey-challenge.service.js';
import { PasskeyChecker } from '../passkeys/passkey-checker.service.js';
import { PasswordConfirmation } from '../passwords/password-confirmation.service.js';
import { confirmationAsker } from '../shared/confirmation-asker.js';
import { SessionService } from '../sessions/session.service.js';
import { UserService } from '../users/user.service.js';
import { VerificationCodeService } from '../registration/verification-code.service.js';
import { sendConfirmationCode } from '../auth.jobs.js';

/** A session that a forwarded email opened must not use up what the owner's session needs, so both are counted. */
const CODES_BY_SESSION: RateRule = { name: 'confirm-code', limit: 10, window: 15 * MINUTE };
const CODES_BY_PERSON: RateRule = { name: 'confirm-code-all', limit: 30, window: 15 * MINUTE };
const MAILS_BY_SESSION: RateRule = { name: 'confirm-mail', limit: 5, window: HOUR };
const MAILS_BY_PERSON: RateRule = { name: 'confirm-mail-all', limit: 15, window: HOUR };

/** By what somebody can show that it is them. */
export type ConfirmationWay = 'passkey' | 'totp' | 'password' | 'mail';

/** Asks a signed-in person to show once more that it is them, before what a stolen session must not do. */
@Injectable()
export class ConfirmationService {
  constructor(
    private readonly em: EntityManager,
    private readonly users: UserService,
    private readonly passwords: PasswordConfirmation,
    private readonly factors: FactorChecker,
    private readonly tries: FactorTries,
    private readonly passkeys: PasskeyChecker,
    private readonly codes: VerificationCodeService,
    private readonly sessions: SessionService,
    private readonly limits: RateLimits,
    private readonly jobs: Jobs,
  ) {}

  /** What this person can confirm by. A mailed code is for those who have nothing else, so that nobody is stuck. */
  async waysOf(userId: number): Promise<ConfirmationWay[]> {
    const { password } = await this.users.findById(userId);
    const ways: ConfirmationWay[] = [];
    if (await this.passkeys.verifiesUser(this.em, userId)) ways.push('passkey');
    if ((await this.factors.kindsOf(this.em, userId)).includes('totp')) ways.push('totp');
    if (password != null) ways.push('password');
    return ways.length > 0 ? ways : ['mail'];
  }

  /**
   * Confirms by the password; a try counts before it is compared.
   * @returns until when the session counts as confirmed
   * @throws WRONG_PASSWORD, TOO_MANY_REQUESTS; NOT_SIGNED_IN when the session ended meanwhile
   */
  async byPassword({ userId, sessionId }: Viewer, password: string): Promise<Date> {
    const hash = await this.passwords.confirm(userId, password);
    return this.mark(userId, sessionId, (_, user) => {
      if (user.password !== hash) throw authErrors.WRONG_PASSWORD();
    });
  }

  /**
   * Confirms by a code of the person's authenticator app or, where they have nothing, by the code that was mailed; a try
   * counts before it is compared.
   * @returns until when the session counts as confirmed
   * @throws CODE_INVALID, TOO_MANY_REQUESTS; NOT_SIGNED_IN when the session ended meanwhile
   */
  async byCode(viewer: Viewer, code: string): Promise<Date> {
    const { userId, sessionId } = viewer;
    if ((await this.waysOf(userId)).includes('totp')) return this.byApp(viewer, code);
    await this.limits.spend(CODES_BY_SESSION, sessionId ?? 0);
    await this.limits.spend(CODES_BY_PERSON, userId);
    const { email } = await this.users.findById(userId);
    const checked = await this.codes.check(email, 'confirm', code, [confirmationAsker(sessionId)]);
    const until = await this.mark(userId, sessionId, async (em, user) => {
      if (user.email !== email) throw authErrors.CODE_INVALID();
      await this.codes.use(em, checked);
    });
    await this.limits.clear(CODES_BY_SESSION, sessionId ?? 0);
    await this.limits.clear(CODES_BY_PERSON, userId);
    return until;
  }

  /** What the browser asks the person's passkeys: as at signing in by one alone, the device must ask who holds it. */
  askPasskey(viewer: Viewer): Promise<PublicKeyCredentialRequestOptionsJSON> {
    return this.passkeys.ask(this.em, holderOf(viewer), { userId: viewer.userId, mustVerifyUser: true });
  }

  /**
   * Confirms by a passkey.
   * @returns until when the session counts as confirmed
   * @throws PASSKEY_INVALID, TOO_MANY_REQUESTS; NOT_SIGNED_IN when the session ended meanwhile
   */
  async byPasskey(viewer: Viewer, answer: AuthenticationResponseJSON): Promise<Date> {
    const { userId, sessionId } = viewer;
    await this.tries.countInSession(sessionId);
    const challenge = await this.passkeys.challengeOf(holderOf(viewer), answer);
    const until = await this.mark(userId, sessionId, async (em) => {
      const right = await this.passkeys.spend(em, answer, challenge, { userId, mustVerifyUser: true });
      if (!right) throw passkeyErrors.PASSKEY_INVALID();
    });
    await this.tries.forgiveSession(sessionId);
    return until;
  }

  /**
   * Has a code mailed to somebody who has nothing else to confirm by.
   * @throws CONFIRMATION_BY_OTHER_MEANS, TOO_MANY_REQUESTS
   */
  async mailCode({ userId, sessionId }: Viewer): Promise<void> {
    if (!(await this.waysOf(userId)).includes('mail')) throw authErrors.CONFIRMATION_BY_OTHER_MEANS();
    await this.limits.spend(MAILS_BY_SESSION, sessionId ?? 0);
    await this.limits.spend(MAILS_BY_PERSON, userId);
    await this.jobs.enqueue(this.em, sendConfirmationCode, { userId, sessionId });
  }

  private async byApp({ userId, sessionId }: Viewer, code: string): Promise<Date> {
    await this.tries.countInSession(sessionId);
    const until = await this.mark(userId, sessionId, async (em) => {
      if (!(await this.factors.spend(em, userId, { code }, null))) throw authErrors.CODE_INVALID();
    });
    await this.tries.forgiveSession(sessionId);
    return until;
  }

  /** Looks once more under the lock of the person's row: what was right a moment ago may have been changed since. */
  private mark(
    userId: number,
    sessionId: number | null,
    check: (em: EntityManager, user: User) => Promise<void> | void,
  ): Promise<Date> {
    return inTransaction(this.em, async (em) => {
      await check(em, await this.sessions.lock(em, { userId, sessionId }));
      const until = await this.sessions.markConfirmed(em, sessionId);
      if (until === null) throw commonErrors.NOT_SIGNED_IN();
      return until;
    });
  }
}

const holderOf = ({ sessionId }: Viewer): ChallengeHolder => ({ purpose: 'confirm', holder: `session ${sessionId}` });
