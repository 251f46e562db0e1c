import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { AuthenticationResponseJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import { Audit } from '../../../platform/audit/audit.service.js';
import { chargePerson } from '../../../platform/database/pool/places.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { authErrors, passkeyErrors } from '../auth.errors.js';
import { FactorChecker, type FactorKind, type FactorProof } from '../factors/factor-checker.service.js';
import { FactorTries } from '../factors/factor-tries.service.js';
import { PasskeyChecker } from '../passkeys/passkey-checker.service.js';
import type { ChallengeHolder } from '../passkeys/passkey-challenge.service.js';
import { SessionService, type SessionOrigin } from '../sessions/session.service.js';
import { SignInFailures } from '../trail/sign-in-failures.service.js';
import { UserService } from '../users/user.service.js';
import { PendingSignIns, type WaitingSignIn } from './pending-sign-in.service.js';
import { SessionOpener, type OpenedSession } from './session-opener.service.js';

/** What the page sends of a factor. */
export type ShownFactor =
  { readonly code: string } | { readonly recoveryCode: string } | { readonly passkey: AuthenticationResponseJSON };

/** The second step of a sign-in. */
@Injectable()
export class FactorSignIn {
  constructor(
    private readonly em: EntityManager,
    private readonly pending: PendingSignIns,
    private readonly checker: FactorChecker,
    private readonly passkeys: PasskeyChecker,
    private readonly tries: FactorTries,
    private readonly users: UserService,
    private readonly opener: SessionOpener,
    private readonly sessions: SessionService,
    private readonly failures: SignInFailures,
    private readonly audit: Audit,
  ) {}

  /**
   * By what the sign-in under this token can go on.
   * @throws SIGN_IN_OVER
   */
  async look(token: string | null): Promise<FactorKind[]> {
    const { userId } = await this.find(token);
    const kinds = await this.checker.kindsOf(this.em, userId);
    if (kinds.length === 0) throw authErrors.SIGN_IN_OVER();
    return kinds;
  }

  /**
   * What the browser asks the passkeys of the person.
   * @throws SIGN_IN_OVER
   */
  async ask(token: string | null): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const { id, userId } = await this.find(token);
    return this.passkeys.ask(this.em, holderOf(id), { userId, mustVerifyUser: false });
  }

  /**
   * Opens the session of a sign-in that waits; the one that the browser had before ends.
   * @param token of the sign-in that waits
   * @throws SIGN_IN_OVER for one that is unknown, over or spent, all alike
   * @throws CODE_INVALID, PASSKEY_INVALID, TOO_MANY_REQUESTS
   * @throws SSO_LINKED_ELSEWHERE when the identity to be connected has become another account's meanwhile
   */
  async complete(
    token: string | null,
    shown: ShownFactor,
    origin: SessionOrigin,
    previousSid: string | null,
  ): Promise<OpenedSession> {
    const waiting = await this.find(token);
    const attempt = { ...waiting, name: `sign-in ${waiting.id}` };
    try {
      const familiarity = await this.tries.count(attempt, origin);
      const opened = await this.open(waiting, await this.proofOf(waiting, shown), origin);
      await this.tries.forgive(attempt, origin, familiarity);
      if (previousSid !== null) await this.sessions.close(previousSid);
      return opened;
    } catch (error) {
      await this.failures.noteFactor(error, waiting.userId, origin.ipAddress);
      throw error;
    }
  }

  private open(waiting: WaitingSignIn, proof: FactorProof, origin: SessionOrigin): Promise<OpenedSession> {
    chargePerson(waiting.userId);
    return inTransaction(this.em, async (em) => {
      const user = await this.users.lock(em, waiting.userId);
      const spent = await this.pending.spend(em, waiting.id);
      if (user.deactivatedAt || !spent) throw authErrors.SIGN_IN_OVER();
      const { ipAddress } = origin;
      if (!(await this.checker.spend(em, user.id, proof, ipAddress))) {
        throw 'passkey' in proof ? passkeyErrors.PASSKEY_INVALID() : authErrors.CODE_INVALID();
      }
      const identity = spent.identity ?? undefined;
      await this.audit.record(em, { type: 'user.signed-in', actorId: user.id, subjectId: user.id, ipAddress });
      return this.opener.enterWithFactor(em, user, { origin, restricted: waiting.restricted, identity });
    });
  }

  /** The challenge of a passkey goes with the try, outside the transaction, whatever comes of it. */
  private async proofOf({ id }: WaitingSignIn, shown: ShownFactor): Promise<FactorProof> {
    if (!('passkey' in shown)) return shown;
    return { ...shown, challenge: await this.passkeys.challengeOf(holderOf(id), shown.passkey) };
  }

  private async find(token: string | null): Promise<WaitingSignIn> {
    const waiting = await this.pending.find(token);
    if (!waiting) throw authErrors.SIGN_IN_OVER();
    return waiting;
  }
}

const holderOf = (pendingId: number): ChallengeHolder => ({ purpose: 'factor', holder: `sign-in ${pendingId}` });
