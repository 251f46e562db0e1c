import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock/clock.js';
import { digestOf, areDigestsEqual } from '../../../platform/security/secrets.js';

/** A password emailed to someone who has none of their own yet. */
export interface TemporaryPassword {
  /** `digestOf` the password. */
  readonly digest: string;
  readonly expiresAt: Date;
}

/** A temporary password that was entered correctly. */
export interface MatchedTemporaryPassword {
  /** See `TemporaryPasswordSource.provesUnusedAccounts`. */
  readonly provesUnusedAccount: boolean;
}

/**
 * A module that emails temporary passwords. They are random and long, so an unsalted digest is enough to store them.
 */
export interface TemporaryPasswordSource {
  /**
   * Whether its passwords also prove ownership of an existing account that nobody has used, because this module created
   * it. Every temporary password proves ownership of an account that it creates. None proves it for an account whose
   * address was verified before, because the email may have been forwarded.
   */
  readonly provesUnusedAccounts: boolean;

  /**
   * Returns the temporary passwords of an address. Called at every failed sign-in, so it must take as long for
   * addresses without one.
   * @param email in lower case
   */
  listByEmail(email: string): Promise<readonly TemporaryPassword[]>;

  /** Revokes them, in the transaction in which the user sets a password of their own. */
  revokeAll(em: EntityManager, email: string): Promise<void>;
}

/** Modules that issue temporary passwords (invitations, purchases) register here, so that sign-in can check them. */
@Injectable()
export class TemporaryPasswordPort {
  private readonly sources: TemporaryPasswordSource[] = [];

  constructor(private readonly clock: Clock) {}

  /** Called once by each module at startup. */
  registerSource(source: TemporaryPasswordSource): void {
    this.sources.push(source);
  }

  /** Returns the temporary password that matches the input, or null if it is wrong or expired. */
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

  /** Revokes all temporary passwords of an address, in the caller's transaction. */
  async revokeAll(em: EntityManager, email: string): Promise<void> {
    for (const source of this.sources) await source.revokeAll(em, email);
  }
}

/** Allows for copying from an email: with spaces around it, in capitals, or with different dashes. */
function normalizePassword(password: string): Set<string> {
  const bare = password.trim();
  return new Set([password, bare, bare.toLowerCase().replace(/[\u2010-\u2015]/g, '-')]);
}
