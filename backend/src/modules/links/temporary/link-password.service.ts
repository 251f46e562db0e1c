import { Injectable } from '@nestjs/common';
import { MINUTE } from '../../../platform/clock/clock.js';
import { networkOf } from '../../../platform/http/networks/client-network.js';
import { RateLimitService, type RateRule } from '../../../platform/http/limits/rate-limit.service.js';
import { PasswordHashService } from '../../auth/passwords/password-hash.service.js';
import { linkErrors } from '../links.errors.js';

/**
 * Limit per network and link, so that people who guess only lock out themselves and not those who know the password.
 */
const VISITOR_RATE: RateRule = { name: 'link-password', limit: 10, window: 15 * MINUTE };
/** Maximum queued comparisons of link passwords; the rest of the queue is reserved for sign-ins (ADR 0031). */
const MAX_QUEUED = 8;

/** Manages the passwords of links. */
@Injectable()
export class LinkPasswordService {
  constructor(
    private readonly passwords: PasswordHashService,
    private readonly limits: RateLimitService,
  ) {}

  /** Returns the digest to store. */
  hash(password: string): Promise<string> {
    return this.passwords.hash(password);
  }

  /**
   * Checks a visitor's password for a link that has one. The attempt is counted before the comparison, and the count is
   * reset on success, so that only wrong attempts use up the limit.
   * @param link its password's digest, and an id that no other link has
   * @throws LINK_PASSWORD_WRONG, TOO_MANY_REQUESTS, SERVER_BUSY
   */
  async assertPassword(
    { linkId, password }: { linkId: number | string | null; password: string },
    entered: string,
    ipAddress: string | null,
  ): Promise<void> {
    const createError = () => linkErrors.LINK_PASSWORD_WRONG({}, { errors: { password: [sentence] } });
    if (entered === '') throw createError();
    const visitor = `${linkId} ${networkOf(ipAddress)}`;
    await this.limits.consume(VISITOR_RATE, visitor);
    if (!(await this.passwords.verify(password, entered, MAX_QUEUED))) throw createError();
    await this.limits.reset(VISITOR_RATE, visitor);
  }
}

const { sentence } = linkErrors.LINK_PASSWORD_WRONG;
