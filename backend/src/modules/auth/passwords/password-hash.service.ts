import { hash, verify, type Options } from '@node-rs/argon2';
import { Injectable } from '@nestjs/common';
import { ConcurrencyLimiter } from '../../../platform/http/limits/concurrency-limiter.js';

/** OWASP's parameters for argon2id: 19 MiB, two passes, one lane. Argon2id is the library's default. */
const ARGON2_PARAMETERS: Options = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };
/** More concurrent hashes would occupy the threads that file reads need. */
const MAX_CONCURRENT_HASHES = 2;

/** Hashes and verifies passwords off the event loop, a few at a time. */
@Injectable()
export class PasswordHashService {
  private readonly limiter = new ConcurrencyLimiter({ maxConcurrent: MAX_CONCURRENT_HASHES });
  private dummyHash: Promise<string> | null = null;

  /** Returns the argon2id hash to be stored. @throws SERVER_BUSY if too many calls are waiting */
  hash(password: string): Promise<string> {
    return this.limiter.run(() => hash(password, ARGON2_PARAMETERS));
  }

  /**
   * Returns true if the password matches the stored hash. Takes as long without a stored hash, to prevent timing
   * attacks.
   * @param maxQueued maximum number of calls waiting before this one; defaults to the limiter's own maximum
   * @throws SERVER_BUSY if too many calls are waiting
   */
  async verify(stored: string | null, password: string, maxQueued?: number): Promise<boolean> {
    this.dummyHash ??= hash('a password that nobody has', ARGON2_PARAMETERS);
    const expected = stored ?? (await this.dummyHash);
    const matches = await this.limiter.run(() => verify(expected, password), maxQueued);
    return stored !== null && matches;
  }
}
