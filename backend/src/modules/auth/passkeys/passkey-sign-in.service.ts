import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { AuthenticationResponseJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import { Audit } from '../../../platform/audit/audit.service.js';
import { chargePerson } from '../../../platform/database/pool/places.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { authErrors, passkeyErrors } from '../auth.errors.js';
import { SessionService, type SessionOrigin } from '../sessions/session.service.js';
import { SessionOpener, type OpenedSession } from '../sign-in/session-opener.service.js';
import { SignInFailures } from '../trail/sign-in-failures.service.js';
import { UserService } from '../users/user.service.js';
import type { ChallengeHolder } from './passkey-challenge.service.js';
import { PasskeyChecker } from './passkey-checker.service.js';

/** Signing in by a passkey alone: the device and the PIN, finger or face that it asks for are two factors. */
@Injectable()
export class PasskeySignIn {
  constructor(
    private readonly em: EntityManager,
    private readonly passkeys: PasskeyChecker,
    private readonly users: UserService,
    private readonly opener: SessionOpener,
    private readonly sessions: SessionService,
    private readonly failures: SignInFailures,
    private readonly audit: Audit,
  ) {}

  /** What any browser is asked: whichever passkey of this site it has. */
  ask(browser: string): Promise<PublicKeyCredentialRequestOptionsJSON> {
    return this.passkeys.ask(this.em, holderOf(browser), { userId: null, mustVerifyUser: true });
  }

  /**
   * Opens a session; the one that the browser had before ends.
   * @param browser the id in its cookie
   * @throws PASSKEY_INVALID whatever is wrong; ACCOUNT_DEACTIVATED only after a right answer
   */
  async complete(
    browser: string | null,
    answer: AuthenticationResponseJSON,
    origin: SessionOrigin,
    previousSid: string | null,
  ): Promise<OpenedSession> {
    const challenge = browser === null ? null : await this.passkeys.challengeOf(holderOf(browser), answer);
    const userId = await this.passkeys.ownerOf(this.em, answer);
    try {
      if (userId === null) throw passkeyErrors.PASSKEY_INVALID();
      const opened = await this.open(userId, answer, challenge, origin);
      if (previousSid !== null) await this.sessions.close(previousSid);
      return opened;
    } catch (error) {
      await this.failures.notePasskey(error, userId, origin.ipAddress);
      throw error;
    }
  }

  private open(
    userId: number,
    answer: AuthenticationResponseJSON,
    challenge: string | null,
    origin: SessionOrigin,
  ): Promise<OpenedSession> {
    chargePerson(userId);
    return inTransaction(this.em, async (em) => {
      const user = await this.users.lock(em, userId);
      if (!(await this.passkeys.spend(em, answer, challenge, { userId, mustVerifyUser: true }))) {
        throw passkeyErrors.PASSKEY_INVALID();
      }
      if (user.deactivatedAt) throw authErrors.ACCOUNT_DEACTIVATED();
      const { ipAddress } = origin;
      await this.audit.record(em, { type: 'user.signed-in', actorId: userId, subjectId: userId, ipAddress });
      return this.opener.enterWithFactor(em, user, { origin, restricted: false });
    });
  }
}

const holderOf = (browser: string): ChallengeHolder => ({ purpose: 'sign-in', holder: `browser ${browser}` });
