import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { HOUR } from '../../../platform/clock/clock.js';
import { chargePerson } from '../../../platform/database/pool/places.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { AppError } from '../../../platform/errors/app-error.js';
import { networkOf } from '../../../platform/http/networks/client-network.js';
import { RateLimits, type RateRule } from '../../../platform/http/limits/rate-limits.service.js';
import { Jobs } from '../../../platform/jobs/jobs.service.js';
import { authErrors } from '../auth.errors.js';
import { sendSignInMail } from '../auth.jobs.js';
import { DeviceRegistry } from '../devices/device-registry.service.js';
import { VerificationCodeService } from '../registration/verification-code.service.js';
import type { SessionOrigin } from '../sessions/session.service.js';
import { Askers } from '../shared/askers.service.js';
import type { Entry } from './session-opener.service.js';
import { SignInService } from './sign-in.service.js';
import { SingleUseTokenService } from '../tokens/single-use-token.service.js';
import { UserService } from '../users/user.service.js';

/** Of a browser that has signed in before, of everybody else from one network, and of all of these together. */
const MAILS_BY_DEVICE: RateRule = { name: 'sign-in-mail-device', limit: 5, window: HOUR };
const MAILS_BY_NETWORK: RateRule = { name: 'sign-in-mail', limit: 5, window: HOUR };
const MAILS_BY_EMAIL: RateRule = { name: 'sign-in-mail-all', limit: 20, window: HOUR };

/**
 * Sign-in without a password: one mail with a link and a 6-digit code, either of which works once. Who reads the mailbox
 * is let in, as by a new password; a second factor is asked for all the same.
 */
@Injectable()
export class SignInMailService {
  constructor(
    private readonly em: EntityManager,
    private readonly users: UserService,
    private readonly tokens: SingleUseTokenService,
    private readonly codes: VerificationCodeService,
    private readonly signIns: SignInService,
    private readonly limits: RateLimits,
    private readonly devices: DeviceRegistry,
    private readonly askers: Askers,
    private readonly jobs: Jobs,
  ) {}

  /**
   * Has the mail sent, if there is an account. The work here is the same either way: the job looks, not the request.
   * @param next path of our page to which the link leads on
   * @throws TOO_MANY_REQUESTS
   */
  async ask(email: string, next: string | null, origin: SessionOrigin): Promise<void> {
    const familiarity = await this.devices.familiarity(email, origin);
    if (familiarity === 'device') {
      await this.limits.spend(MAILS_BY_DEVICE, `${email} ${origin.device ?? ''}`);
    } else {
      await this.limits.spend(MAILS_BY_NETWORK, `${email} ${networkOf(origin.ipAddress)}`);
      await this.limits.spend(MAILS_BY_EMAIL, email);
    }
    const from = await this.askers.note(email, origin, familiarity);
    await this.jobs.enqueue(this.em, sendSignInMail, { email, next, from });
  }

  /** Whether `byLink` would take the link at this moment; nothing else of it is told, and nothing changes. */
  async isUsable(token: string): Promise<boolean> {
    return (await this.find(token)) !== null;
  }

  /**
   * Signs in by the mailed link.
   * @throws TOKEN_INVALID for an unknown, used or expired link, all alike; of two tabs at once one gets in
   */
  async byLink(token: string, origin: SessionOrigin, previousSid: string | null): Promise<Entry> {
    const found = await this.find(token);
    if (!found) throw authErrors.TOKEN_INVALID();
    const use = (em: EntityManager) => this.tokens.use(em, found.id);
    return this.enter(found.userId, use, authErrors.TOKEN_INVALID, origin, previousSid);
  }

  /**
   * Signs in by the code of the mail.
   * @throws CODE_INVALID for a wrong, used, expired or too often tried code and an unknown address, all alike
   */
  async byCode(email: string, code: string, origin: SessionOrigin, previousSid: string | null): Promise<Entry> {
    const codeId = await this.codes.check(email, 'sign-in', code, this.askers.ofReturning(email, origin));
    const user = await this.users.findByEmail(email);
    if (!user) throw authErrors.CODE_INVALID();
    const use = async (em: EntityManager) => {
      await this.codes.use(em, codeId);
      return true;
    };
    return this.enter(user.id, use, authErrors.CODE_INVALID, origin, previousSid);
  }

  private enter(
    userId: number,
    use: (em: EntityManager) => Promise<boolean>,
    refusal: () => AppError,
    origin: SessionOrigin,
    previousSid: string | null,
  ): Promise<Entry> {
    chargePerson(userId);
    return inTransaction(this.em, async (em) => {
      const user = await this.users.lock(em, userId);
      if (user.deactivatedAt || !(await use(em))) throw refusal();
      await this.codes.revoke(em, user.email, 'sign-in');
      await this.tokens.revoke(em, { email: user.email, purpose: 'sign-in' });
      await this.users.markVerified(em, user);
      return this.signIns.enter(em, user, origin, previousSid, { confirmed: false });
    });
  }

  /** An open link with its person, or null. */
  private async find(token: string): Promise<{ id: number; userId: number } | null> {
    const found = await this.tokens.find(token, 'sign-in');
    if (!found || found.usedAt || found.expired) return null;
    const user = await this.users.findByEmail(found.email);
    return user && !user.deactivatedAt ? { id: found.id, userId: user.id } : null;
  }
}
