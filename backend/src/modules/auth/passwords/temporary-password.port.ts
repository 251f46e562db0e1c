import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { digestOf, areDigestsEqual } from '../../../platform/security/secrets.js';

/** A password that was mailed to somebody who has none of their own yet. */
export interface TemporaryPassword {
  /** `digestOf` the password. */
  readonly digest: string;
  readonly expiresAt: Date;
}

/** A temporary password that somebody has entered correctly. */
export interface MatchedTemporaryPassword {
  /** See `TemporaryPasswordSource.provesUnusedAccounts`. */
  readonly provesUnusedAccount: boolean;
}

/** A module that mails temporary passwords. They are random and long, so that a bare digest keeps them. */
export interface TemporaryPasswordSource {
  /**
   * Whether its passwords also prove an account that exists but that nobody has used, because this module created it.
   * Every temporary password proves an account that it creates; none proves one whose address was verified before,
   * because its email may have been forwarded.
   */
  readonly provesUnusedAccounts: boolean;

  /**
   * Those that hang on an address. Asked at each failed sign-in, so it must take as long for an address without one.
   * @param email in lower case
   */
  listByEmail(email: string): Promise<readonly TemporaryPassword[]>;

  /** Voids them, in the transaction in which the person sets a password of their own. */
  revokeAll(em: EntityManager, email: string): Promise<void>;
}

/** Where modules that give out temporary passwords (invitations, purchases) let sign-in know of them. */
@Injectable()
export class TemporaryPasswordPort {
  private readonly sources: TemporaryPasswordSource[] = [];

  constructor(private readonly clock: Clock) {}

  /** Called once by each module when it starts. */
  registerSource(source: TemporaryPasswordSource): void {
    this.sources.push(source);
  }

  /** The temporary password of an address that was entered, or null when it is wrong or has expired. */
  async matchPassword(email: string, password: string): Promise<MatchedTemporaryPassword | null> {
    const candidates = [...normalizePassword(password)].map(digestOf);
    const now = this.clock.now();
    let matched: MatchedTemporaryPassword | null = null;
    for (const source of this.sources) {
      for (const { digest, expiresAt } of await source.listByEmail(email)) {
        if (!candidates.some((form) => areDigestsEqual(digest, form)) || expiresAt <= now) continue;
        matched = { provesUnusedAccount: source.provesUnusedAccounts };
      }
    }
    return matched;
  }

  /** Voids all of an address, in the caller's transaction. */
  async revokeAll(em: EntityManager, email: string): Promise<void> {
    for (const source of this.sources) await source.revokeAll(em, email);
  }
}

/** What somebody who copies a password off a mail may send: with spaces around it, in capitals, with other dashes. */
function normalizePassword(password: string): Set<string> {
  const bare = password.trim();
  return new Set([password, bare, bare.toLowerCase().replace(/[\u2010-\u2015]/g, '-')]);
}
