import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../../platform/config/app-config.js';
import type { DerivedKey } from '../../../platform/security/derived-keys.js';
import { newRecoveryCode } from '../../../platform/security/secrets.js';
import { MfaRepository } from './mfa.repository.js';

const CODES_PER_USER = 10;

/** Printable codes, each of which replaces a lost factor once. Only keyed digests are stored. */
@Injectable()
export class RecoveryCodeService {
  private readonly key: DerivedKey;

  constructor(
    private readonly mfa: MfaRepository,
    config: AppConfig,
  ) {
    this.key = config.keys.forPurpose('recovery-code');
  }

  /**
   * Replaces all codes of the user with ten new ones. The caller's transaction must have locked the user.
   * @returns the codes, to be shown only once
   */
  async replaceCodes(em: EntityManager, userId: number): Promise<string[]> {
    await this.mfa.deleteRecoveryCodes(em, userId);
    const codes = Array.from({ length: CODES_PER_USER }, newRecoveryCode);
    const digests = codes.map((code) => this.digestCandidates(userId, code)[0]!);
    await this.mfa.insertRecoveryCodes(em, userId, digests);
    return codes;
  }

  /** Consumes a code in any notation. Of concurrent calls with the same code, one returns true. */
  consumeCode(em: EntityManager, userId: number, code: string): Promise<boolean> {
    return this.mfa.consumeRecoveryCode(em, userId, this.digestCandidates(userId, code));
  }

  /**
   * Digests under every configured secret, newest first. Spaces, dashes and capitals vary when people copy from paper.
   */
  private digestCandidates(userId: number, code: string): string[] {
    return this.key.digests(String(userId), code.toLowerCase().replace(/[^a-z0-9]/g, ''));
  }
}
