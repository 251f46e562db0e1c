import { hash, verify, type Options } from '@node-rs/argon2';
import { Injectable } from '@nestjs/common';
import { Turns } from '../../../platform/http/limits/turns.js';

/** OWASP's parameters for argon2id: 19 MiB, two passes, one lane. Argon2id is the library's default. */
const PARAMETERS: Options = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };
/** More hashes at once take the threads that file reads need. */
const AT_ONCE = 2;

/** Hashes and checks passwords off the event loop, a few at a time. */
@Injectable()
export class PasswordService {
  private readonly turns = new Turns({ atOnce: AT_ONCE });
  private decoy: Promise<string> | null = null;

  /** The argon2id hash to be stored. @throws SERVER_BUSY when too many wait for theirs */
  hash(password: string): Promise<string> {
    return this.turns.run(() => hash(password, PARAMETERS));
  }

  /**
   * True when the password is the one stored. Takes as long when there is nothing stored, so that time tells nothing.
   * @param most how many may wait before it, where that is fewer than for signing in
   * @throws SERVER_BUSY when too many wait
   */
  async verify(stored: string | null, password: string, most?: number): Promise<boolean> {
    this.decoy ??= hash('a password that nobody has', PARAMETERS);
    const expected = stored ?? (await this.decoy);
    const matches = await this.turns.run(() => verify(expected, password), most);
    return stored !== null && matches;
  }
}
