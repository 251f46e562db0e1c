import { Injectable } from '@nestjs/common';
import { MINUTE } from '../../../platform/clock/clock.js';
import { networkOf } from '../../../platform/http/networks/client-network.js';
import { RateLimits, type RateRule } from '../../../platform/http/limits/rate-limits.service.js';
import { PasswordService } from '../../auth/passwords/password.service.js';
import { linkErrors } from '../links.errors.js';

/** Of a network, and of nothing wider: whoever guesses shuts the link for themselves, never for those who know the word. */
const BY_VISITOR: RateRule = { name: 'link-password', limit: 10, window: 15 * MINUTE };
/** Words of links that may wait to be compared: the rest of the queue is left to people who sign in (ADR 0031). */
const MOST_WAITING = 8;

/** The word that some temporary links ask for. */
@Injectable()
export class LinkPasswords {
  constructor(
    private readonly passwords: PasswordService,
    private readonly limits: RateLimits,
  ) {}

  /** The digest to be stored. */
  hash(password: string): Promise<string> {
    return this.passwords.hash(password);
  }

  /**
   * Checks what a visitor typed against the link's digest. A try is counted before it is compared, and forgiven when
   * it was right, so that only wrong ones use up what is allowed.
   * @throws LINK_PASSWORD_WRONG, TOO_MANY_REQUESTS, SERVER_BUSY
   */
  async check(link: { id: number; password: string | null }, given: string, ipAddress: string | null): Promise<void> {
    if (link.password === null) return;
    const wrong = () => linkErrors.LINK_PASSWORD_WRONG({}, { errors: { password: [sentence] } });
    if (given === '') throw wrong();
    const visitor = `${link.id} ${networkOf(ipAddress)}`;
    await this.limits.spend(BY_VISITOR, visitor);
    if (!(await this.passwords.verify(link.password, given, MOST_WAITING))) throw wrong();
    await this.limits.clear(BY_VISITOR, visitor);
  }
}

const { sentence } = linkErrors.LINK_PASSWORD_WRONG;
