import { hash, verify, type Options } from '@node-rs/argon2';
import { Injectable } from '@nestjs/common';

/** OWASP's parameters for argon2id: 19 MiB, two passes, one lane. Argon2id is the library's default. */
const PARAMETERS: Options = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };
/** More hashes at once take the threads that file reads need. */
const AT_ONCE = 2;

/** Hashes and checks passwords off the event loop, a few at a time. */
@Injectable()
export class PasswordService {
  private running = 0;
  private readonly waiting: (() => void)[] = [];
  private decoy: Promise<string> | null = null;

  /** The argon2id hash to be stored. */
  hash(password: string): Promise<string> {
    return this.inTurn(() => hash(password, PARAMETERS));
  }

  /** True when the password is the one stored. Takes as long when there is nothing stored, so that time tells nothing. */
  async verify(stored: string | null, password: string): Promise<boolean> {
    this.decoy ??= this.hash('a password that nobody has');
    const expected = stored ?? (await this.decoy);
    const matches = await this.inTurn(() => verify(expected, password));
    return stored !== null && matches;
  }

  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= AT_ONCE) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.running++;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.running--;
    }
  }
}
