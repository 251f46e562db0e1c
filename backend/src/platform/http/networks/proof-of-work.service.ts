import { Injectable } from '@nestjs/common';
import { createChallenge, randomInt, verifySolution, type Challenge, type Payload } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { freezeList } from '../../constants/freeze-list.js';
import { addMilliseconds, Clock, MAX_CLOCK_SKEW, HOUR, MINUTE } from '../../clock/clock.js';
import { AppConfig } from '../../config/app-config.js';
import { commonErrors } from '../../errors/common.errors.js';
import { keyedDigest } from '../../security/secrets.js';
import type { DerivedKey } from '../../security/derived-keys.js';
import { RateLimitService, type RateRule } from '../limits/rate-limit.service.js';

/** What a proof is for; it isn't valid for other purposes. */
export type ProofOfWorkPurpose = 'join' | 'forgot-password' | 'send-verification' | 'sign-in-mail';

/** Requests per network and hour without proof of work. */
export const FREE_REQUESTS_PER_HOUR = 10;
/** Validity of a challenge, in milliseconds. */
export const CHALLENGE_LIFETIME = 5 * MINUTE;

/**
 * Hash rounds per guess, and the range of guesses until the solution: 200,000 to 400,000 rounds in total. That is a
 * fraction of a second on a phone; mass requests need a CPU core and still meet the other limits.
 */
const HASH_ROUNDS = 2000;
const GUESS_RANGE = freezeList([100, 200]);

/** Each challenge can be used once. */
const SINGLE_USE: RateRule = { name: 'work-done', limit: 1, window: 2 * CHALLENGE_LIFETIME };

/** Maximum header length in characters; a valid one has about 800. */
const MAX_HEADER_LENGTH = 4000;

/** Proof of work: a busy network's browsers must solve small challenges before emails are sent to third parties. */
@Injectable()
export class ProofOfWorkService {
  private readonly key: DerivedKey;

  constructor(
    config: AppConfig,
    private readonly clock: Clock,
    private readonly rateLimits: RateLimitService,
  ) {
    this.key = config.keys.forPurpose('join-proof');
  }

  /**
   * Accepts the request if its network has sent few within the hour, or if it includes a solved challenge.
   * @param header the header's value, unchecked
   * @throws WORK_REQUIRED with a new challenge in `challenge`
   */
  async requireProof(purpose: ProofOfWorkPurpose, network: string, header: string | undefined): Promise<void> {
    const rule: RateRule = { name: `work-${purpose}`, limit: FREE_REQUESTS_PER_HOUR, window: HOUR };
    const { granted } = await this.rateLimits.consumeUpTo(rule, network, 1);
    if (granted === 1 || (header !== undefined && (await this.isValidProof(purpose, header)))) return;
    throw commonErrors.WORK_REQUIRED({}, { challenge: await this.createTask(purpose) });
  }

  private createTask(purpose: ProofOfWorkPurpose): Promise<Challenge> {
    return createChallenge({
      algorithm: 'PBKDF2/SHA-256',
      cost: HASH_ROUNDS,
      deriveKey,
      data: { purpose },
      counter: randomInt(GUESS_RANGE[1], GUESS_RANGE[0]),
      expiresAt: addMilliseconds(this.clock.now(), CHALLENGE_LIFETIME),
      ...this.secretsOf(this.key.newest),
    });
  }

  /** Whether the challenge is ours, for this purpose, not expired, solved, and not used before. */
  private async isValidProof(purpose: ProofOfWorkPurpose, header: string): Promise<boolean> {
    const payload = parseHeader(header);
    if (!payload) return false;
    const { challenge, solution } = payload;
    const { data, expiresAt } = challenge.parameters;
    if (data?.purpose !== purpose || !this.isNotExpired(expiresAt! * 1000)) return false;
    const verifications = this.key.all.map((key) =>
      verifySolution({ challenge, solution, deriveKey, ...this.secretsOf(key) }),
    );
    if (!(await Promise.all(verifications)).some(({ verified }) => verified)) return false;
    return (await this.rateLimits.consumeUpTo(SINGLE_USE, challenge.parameters.nonce, 1)).granted === 1;
  }

  /** An expiry later than ours can be means that we didn't create the challenge, even if it is signed. */
  private isNotExpired(expiresAt: number): boolean {
    const remaining = expiresAt - this.clock.now().getTime();
    return remaining > 0 && remaining <= CHALLENGE_LIFETIME + MAX_CLOCK_SKEW;
  }

  private secretsOf(key: Buffer) {
    return {
      hmacSignatureSecret: key.toString('hex'),
      hmacKeySignatureSecret: keyedDigest(key, 'solution'),
    };
  }
}

/** Parses the header if it has the shape of a solved challenge; the signature is verified later. */
function parseHeader(header: string): Payload | null {
  if (header.length > MAX_HEADER_LENGTH) return null;
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(header, 'base64').toString('utf8'));
  } catch {
    return null;
  }
  const { challenge, solution } = toRecord(value);
  const { parameters, signature } = toRecord(challenge);
  const { nonce, expiresAt } = toRecord(parameters);
  const isOne = typeof signature === 'string' && typeof nonce === 'string' && typeof expiresAt === 'number';
  return isOne && typeof solution === 'object' ? ({ challenge, solution } as Payload) : null;
}

const toRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
