import { Injectable } from '@nestjs/common';
import { createChallenge, randomInt, verifySolution, type Challenge, type Payload } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { catalogue } from '../../catalogue/catalogue.js';
import { after, Clock, CLOCKS_DIFFER, HOUR, MINUTE } from '../../clock/clock.js';
import { AppConfig } from '../../config/app-config.js';
import { commonErrors } from '../../errors/common.errors.js';
import { keyedDigest } from '../../security/secrets.js';
import type { PurposeKey } from '../../security/purpose-keys.js';
import { RateLimits, type RateRule } from '../limits/rate-limits.service.js';

/** What a piece of work was done for; that for one is none for another. */
export type WorkPurpose = 'join' | 'forgot-password' | 'send-verification' | 'sign-in-mail';

/** What a network may ask in an hour without work. */
export const FREE_OF_WORK = 10;
/** How long a task can be handed in. */
export const WORK_LIFETIME = 5 * MINUTE;

/**
 * Rounds of a hash that each guess costs, and how many guesses lead to the key: 200,000 to 400,000 rounds. A fraction of a
 * second on a phone; who sends many requests pays a core for them, and finds the limits behind it.
 */
const ROUNDS = 2000;
const GUESSES = catalogue([100, 200]);

/** Each task counts once. */
const ONCE: RateRule = { name: 'work-done', limit: 1, window: 2 * WORK_LIFETIME };

/** The longest header that is looked into; a true one has about 800 characters. */
const LONGEST = 4000;

/** Small tasks that a browser solves by itself before strangers are written to in the name of a busy network. */
@Injectable()
export class WorkProofs {
  private readonly key: PurposeKey;

  constructor(
    config: AppConfig,
    private readonly clock: Clock,
    private readonly limits: RateLimits,
  ) {
    this.key = config.keys.for('join-proof');
  }

  /**
   * Lets the request through while its network has asked seldom within the hour, or when it brings a solved task.
   * @param given the header, as it came
   * @throws WORK_REQUIRED with a new task in `challenge`
   */
  async demand(purpose: WorkPurpose, network: string, given: string | undefined): Promise<void> {
    const rule: RateRule = { name: `work-${purpose}`, limit: FREE_OF_WORK, window: HOUR };
    const { granted } = await this.limits.spendUpTo(rule, network, 1);
    if (granted === 1 || (given !== undefined && (await this.accept(purpose, given)))) return;
    throw commonErrors.WORK_REQUIRED({}, { challenge: await this.make(purpose) });
  }

  private make(purpose: WorkPurpose): Promise<Challenge> {
    return createChallenge({
      ...{ algorithm: 'PBKDF2/SHA-256', cost: ROUNDS, deriveKey, data: { purpose } },
      counter: randomInt(GUESSES[1], GUESSES[0]),
      expiresAt: after(this.clock.now(), WORK_LIFETIME),
      ...this.secretsOf(this.key.newest),
    });
  }

  /** Whether it is a task of ours for this purpose, in time, solved, and not handed in before. */
  private async accept(purpose: WorkPurpose, given: string): Promise<boolean> {
    const payload = read(given);
    if (!payload) return false;
    const { challenge, solution } = payload;
    const { data, expiresAt } = challenge.parameters;
    if (data?.purpose !== purpose || !this.isInTime(expiresAt! * 1000)) return false;
    const asked = this.key.all.map((key) => verifySolution({ challenge, solution, deriveKey, ...this.secretsOf(key) }));
    if (!(await Promise.all(asked)).some(({ verified }) => verified)) return false;
    return (await this.limits.spendUpTo(ONCE, challenge.parameters.nonce, 1)).granted === 1;
  }

  /** A task that says it can be handed in for longer than ours can was not made by us, even if it is signed. */
  private isInTime(expiresAt: number): boolean {
    const left = expiresAt - this.clock.now().getTime();
    return left > 0 && left <= WORK_LIFETIME + CLOCKS_DIFFER;
  }

  private secretsOf(key: Buffer) {
    return {
      hmacSignatureSecret: key.toString('hex'),
      hmacKeySignatureSecret: keyedDigest(key, 'solution'),
    };
  }
}

/** What the header holds, if it has the shape of a solved task; whether it is one of ours its signature tells. */
function read(given: string): Payload | null {
  if (given.length > LONGEST) return null;
  let value: unknown;
  try {
    value = JSON.parse(Buffer.from(given, 'base64').toString('utf8'));
  } catch {
    return null;
  }
  const { challenge, solution } = fieldsOf(value);
  const { parameters, signature } = fieldsOf(challenge);
  const { nonce, expiresAt } = fieldsOf(parameters);
  const isOne = typeof signature === 'string' && typeof nonce === 'string' && typeof expiresAt === 'number';
  return isOne && typeof solution === 'object' ? ({ challenge, solution } as Payload) : null;
}

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
