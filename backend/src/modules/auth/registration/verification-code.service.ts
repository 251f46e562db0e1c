import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { addMilliseconds, Clock, MINUTE } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { authErrors } from '../auth.errors.js';
import type { CodePurpose } from '../entities/single-use-token.entity.js';
import type { DerivedKey } from '../../../platform/security/derived-keys.js';
import { newCode } from '../../../platform/security/secrets.js';
import { VerificationCodeRepository } from './verification-code.repository.js';

const LIFETIME = 10 * MINUTE;
const MAX_ATTEMPTS = 5;

/** Of everyone but the requester together. Allows for a requester who has switched networks; gives a guesser little. */
const MAX_ATTEMPTS_OF_OTHERS = 3;

/** Open codes per requester. A request by someone else voids none of them. */
const MAX_OPEN_CODES = 3;

/**
 * Emails 6-digit codes: valid for 10 minutes, with 5 attempts by the requester and 3 by everyone else, counted before
 * the comparison. An attempt counts against every open code of the address, no matter who requested it, so each code is
 * compared 8 times at most, however many are open. Strangers can't use up the requester's attempts (ADR 0031).
 */
@Injectable()
export class VerificationCodeService {
  private readonly key: DerivedKey;

  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly codes: VerificationCodeRepository,
    config: AppConfig,
  ) {
    this.key = config.keys.forPurpose('code');
  }

  /** Creates a code, to be emailed at once. Only a digest is stored. */
  async issueCode(email: string, type: CodePurpose, requesterId = ''): Promise<string> {
    const code = newCode();
    const now = this.clock.now();
    const stored = {
      email,
      type,
      requesterId,
      digest: this.key.digest(type, email, code),
      createdAt: now,
      expiresAt: addMilliseconds(now, LIFETIME),
    };
    await inTransaction(this.em, (em) => this.codes.insertCode(em, stored, MAX_OPEN_CODES));
    return code;
  }

  /**
   * Verifies a code. The attempt is counted outside any transaction, so that a later rollback doesn't undo the count.
   * @param requesterIds the fingerprints under which the caller may have requested the code
   * @returns the id for `consumeCode` in the transaction that the code authorises
   * @throws CODE_INVALID for a wrong, expired, used or too often tried code (the cases are not distinguished)
   */
  async verifyCode(
    email: string,
    type: CodePurpose,
    code: string,
    requesterIds: readonly string[] = [''],
  ): Promise<number> {
    const limits = { ofRequester: MAX_ATTEMPTS, ofOthers: MAX_ATTEMPTS_OF_OTHERS };
    const rows = await this.codes.countAttempt(email, type, requesterIds, limits);
    const found = rows.find((row) => this.key.matches(row.code, type, email, code));
    if (!found) throw authErrors.CODE_INVALID();
    return Number(found.id);
  }

  /**
   * Consumes a verified code and revokes all others of its address and purpose.
   * @throws CODE_INVALID if a concurrent call has consumed it
   */
  async consumeCode(em: EntityManager, id: number): Promise<void> {
    const used = await this.codes.consumeCode(em, id);
    if (!used) throw authErrors.CODE_INVALID();
    await this.codes.revokeCodes(em, used.email, used.type);
  }
}
