import { hash, verify, type Options } from '@node-rs/argon2';
import { Injectable } from '@nestjs/common';
import { ConcurrencyLimiter } from '../../../platform/http/limits/concurrency-limiter.js';

/** OWASP's parameters for argon2id: 19 MiB, two passes, one lane. Argon2id is the library's default. */
const ARGON2_PARAMETERS: Options = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };
/** More hashes at once take the threads that file reads need. */
const MAX_CONCURRENT_HASHES = 2;

/** Hashes and checks passwords off the event loop, a few at a time. */
@Injectable()
export class PasswordHashService {
  private readonly limiter = new ConcurrencyLimiter({ maxConcurrent: MAX_CONCURRENT_HASHES });
  private dummyHash: Promise<string> | null = null;

  /** The argon2id hash to be stored. @throws SERVER_BUSY when too many wait for theirs */
  hash(password: string): Promise<string> {
    return this.limiter.run(() => hash(password, ARGON2_PARAMETERS));
  }

  /**
   * True when the password is the one stored. Takes as long when there is nothing stored, so that time tells nothing.
   * @param most how many may wait before it, where that is fewer than for signing in
   * @throws SERVER_BUSY when too many wait
   */
  async verify(stored: string | null, password: string, maxWaiting?: number): Promise<boolean> {
    this.dummyHash ??= hash('a password that nobody has', ARGON2_PARAMETERS);
    const expected = stored ?? (await this.dummyHash);
    const matches = await this.limiter.run(() => verify(expected, password), maxWaiting);
    return stored !== null && matches;
  }
}
