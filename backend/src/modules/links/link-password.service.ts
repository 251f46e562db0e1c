import { Injectable } from '@nestjs/common';
import { HOUR, MINUTE } from '../../platform/clock/clock.js';
import { networkOf } from '../../platform/http/client-network.js';
import { RateLimits, type RateRule } from '../../platform/http/rate-limits.service.js';
import { PasswordService } from '../auth/password.service.js';
import { linkErrors } from './links.errors.js';

const BY_VISITOR: RateRule = { name: 'link-password', limit: 10, window: 15 * MINUTE };
/** For who guesses from many addresses at once. */
const BY_LINK: RateRule = { name: 'link-password-all', limit: 200, window: HOUR };

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
   * @throws LINK_PASSWORD_WRONG, TOO_MANY_REQUESTS
   */
  async check(link: { id: number; password: string | null }, given: string, ipAddress: string | null): Promise<void> {
    if (link.password === null) return;
    const wrong = () => linkErrors.LINK_PASSWORD_WRONG({}, { errors: { password: [sentence] } });
    if (given === '') throw wrong();
    const visitor = `${link.id} ${networkOf(ipAddress)}`;
    await this.limits.take(BY_VISITOR, visitor);
    await this.limits.take(BY_LINK, link.id);
    if (!(await this.passwords.verify(link.password, given))) throw wrong();
    await this.limits.clear(BY_VISITOR, visitor);
    await this.limits.giveBack(BY_LINK, link.id);
  }
}

const { sentence } = linkErrors.LINK_PASSWORD_WRONG;
