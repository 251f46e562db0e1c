import { hash, verify } from '@node-rs/argon2';
import { Injectable } from '@nestjs/common';
import { ConcurrencyLimiter } from '../../../platform/http/limits/concurrency-limiter.js';

/** OWASP's parameters for argon2id, which is the library's default. Most suites hash with less. */
@Injectable()
export class PasswordHashCost {
  /** In KiB. */
  readonly memoryCost: number = 19 * 1024;
  /** Passes over the memory. */
  readonly timeCost: number = 2;
  readonly parallelism: number = 1;
}

/** More concurrent hashes would occupy the threads that file reads need. */
const MAX_CONCURRENT_HASHES = 2;

/** Hashes and verifies passwords off the event loop, a few at a time. */
@Injectable()
export class PasswordHashService {
  private readonly limiter = new ConcurrencyLimiter({ maxConcurrent: MAX_CONCURRENT_HASHES });
  private dummyHash: Promise<string> | null = null;

  constructor(private readonly cost: PasswordHashCost) {}

  /** Returns the argon2id hash to be stored. @throws SERVER_BUSY if too many calls are waiting */
  hash(password: string): Promise<string> {
    return this.limiter.run(() => hash(password, this.cost));
  }

  /**
   * Returns true if the password matches the stored hash. Takes as long without a stored hash, to prevent timing
   * attacks.
   * @param maxQueued maximum number of calls waiting before this one; defaults to the limiter's own maximum
   * @throws SERVER_BUSY if too many calls are waiting
   */
  async verify(stored: string | null, password: string, maxQueued?: number): Promise<boolean> {
    this.dummyHash ??= hash('a password that nobody has', this.cost);
    const expected = stored ?? (await this.dummyHash);
    const matches = await this.limiter.run(() => verify(expected, password), maxQueued);
    return stored !== null && matches;
  }
}
