import { Injectable } from '@nestjs/common';
import { MINUTE } from '../../../platform/clock/clock.js';
import { networkOf } from '../../../platform/http/networks/client-network.js';
import { RateLimitService, type RateRule } from '../../../platform/http/limits/rate-limit.service.js';
import { PasswordHashService } from '../../auth/passwords/password-hash.service.js';
import { linkErrors } from '../links.errors.js';

/** Of a network, and of nothing wider: whoever guesses shuts the link for themselves, never for those who know the word. */
const VISITOR_RATE: RateRule = { name: 'link-password', limit: 10, window: 15 * MINUTE };
/** Words of links that may wait to be compared: the rest of the queue is left to people who sign in (ADR 0031). */
const MAX_QUEUED = 8;

/** The word that some temporary links ask for. */
@Injectable()
export class LinkPasswordService {
  constructor(
    private readonly passwords: PasswordHashService,
    private readonly limits: RateLimitService,
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
  async assertPassword(
    link: { id: number; password: string | null },
    entered: string,
    ipAddress: string | null,
  ): Promise<void> {
    if (link.password === null) return;
    const createError = () => linkErrors.LINK_PASSWORD_WRONG({}, { errors: { password: [sentence] } });
    if (entered === '') throw createError();
    const visitor = `${link.id} ${networkOf(ipAddress)}`;
    await this.limits.consume(VISITOR_RATE, visitor);
    if (!(await this.passwords.verify(link.password, entered, MAX_QUEUED))) throw createError();
    await this.limits.reset(VISITOR_RATE, visitor);
  }
}

const { sentence } = linkErrors.LINK_PASSWORD_WRONG;
