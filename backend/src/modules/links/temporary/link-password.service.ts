import { Injectable } from '@nestjs/common';
import { HOUR, MINUTE } from '../../../platform/clock/clock.js';
import { networkOf, wideNetworkOf } from '../../../platform/http/networks/client-network.js';
import { RateLimitService, type RateRule } from '../../../platform/http/limits/rate-limit.service.js';
import { PasswordHashService } from '../../auth/passwords/password-hash.service.js';
import { linkErrors } from '../links.errors.js';

/*
 * Limits of wrong passwords for each link (ADR 0062). A narrower limit is counted before a wider one, so that a network
 * that has used up its own adds nothing to those that it shares with others.
 */
const NETWORK_RATE: RateRule = { name: 'link-password', limit: 10, window: 15 * MINUTE };
const WIDE_RATE: RateRule = { name: 'link-password-wide', limit: 30, window: HOUR };
/** Above it, each wider network has one attempt, so that people who know the password still get in. */
const LINK_RATE: RateRule = { name: 'link-password-link', limit: 200, window: HOUR };
const WIDE_RATE_UNDER_ATTACK: RateRule = { name: 'link-password-wide-attack', limit: 1, window: HOUR };
const LINK_RATE_UNDER_ATTACK: RateRule = { name: 'link-password-link-attack', limit: 300, window: HOUR };

/** Maximum queued comparisons of link passwords; the rest of the queue is reserved for sign-ins (ADR 0031). */
const MAX_QUEUED = 8;

/** A link with a password, as its visitor finds it. */
export interface ProtectedLink {
  /** An id that no other link has. */
  readonly id: string;
  /** Digest of its password. */
  readonly password: string;
  /** True for somebody who is proven to have entered before; their wrong passwords count apart from those of others. */
  readonly isKnownVisitor: boolean;
  /** Records for the owner that somebody may be guessing the password. */
  readonly recordAttack: () => Promise<void>;
}

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
   * Checks a visitor's password for a link that has one. The attempt is counted before the comparison, so that nothing
   * is compared above a limit and right and wrong passwords get the same answer there. It's taken off the counts unless
   * the password is wrong. A new password of the link starts all counts again.
   * @throws LINK_PASSWORD_WRONG, TOO_MANY_REQUESTS, SERVER_BUSY
   */
  async assertPassword(link: ProtectedLink, entered: string, ipAddress: string | null): Promise<void> {
    if (entered === '') throw wrongPassword();
    const counted: [RateRule, string][] = [];
    const count = async (rule: RateRule, counter: string) => {
      await this.limits.consume(rule, counter);
      counted.push([rule, counter]);
    };
    const subject = `${link.id} ${link.password}`;
    const network = `${subject} ${networkOf(ipAddress)}`;
    const wideNetwork = `${subject} ${wideNetworkOf(ipAddress)}`;
    const visitors = `${subject} ${link.isKnownVisitor ? 'known' : 'new'}`;
    await count(NETWORK_RATE, network);
    await count(WIDE_RATE, wideNetwork);
    const { granted } = await this.limits.consumeUpTo(LINK_RATE, visitors, 1);
    counted.push([LINK_RATE, visitors]);
    if (granted === 0) {
      await link.recordAttack();
      await count(WIDE_RATE_UNDER_ATTACK, wideNetwork);
      await count(LINK_RATE_UNDER_ATTACK, visitors);
    }
    const refund = async () => {
      for (const [rule, counter] of counted) await this.limits.refund(rule, counter);
    };
    const isRight = await this.passwords.verify(link.password, entered, MAX_QUEUED).catch(async (error: unknown) => {
      await refund();
      throw error;
    });
    if (!isRight) throw wrongPassword();
    await refund();
    await this.limits.reset(NETWORK_RATE, network);
  }
}

const wrongPassword = () =>
  linkErrors.LINK_PASSWORD_WRONG({}, { errors: { password: [linkErrors.LINK_PASSWORD_WRONG.sentence] } });
