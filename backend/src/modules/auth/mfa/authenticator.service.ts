import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { Secret, TOTP } from 'otpauth';
import { Clock } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import type { DerivedKey } from '../../../platform/security/derived-keys.js';
import { isSealedWithNewestKey, seal, unseal } from '../../../platform/security/secret-box.js';
import type { User } from '../entities/user.entity.js';
import type { NewAuthenticatorDto } from './dto/factors.dto.js';
import { MfaRepository } from './mfa.repository.js';

const PERIOD_SECONDS = 30;
/** Codes of this many periods before and after are accepted too, because clocks differ. */
const WINDOW = 1;
const SECRET_BYTES = 20;

/** Authenticator apps with time-based codes (TOTP). Each code is accepted once. */
@Injectable()
export class AuthenticatorService {
  private readonly logger = new Logger(AuthenticatorService.name);
  private readonly key: DerivedKey;

  constructor(
    private readonly mfa: MfaRepository,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {
    this.key = config.keys.forPurpose('authenticator');
  }

  /**
   * Creates an unconfirmed secret, replacing an earlier unconfirmed one.
   * @returns the secret for the app; null if an app is already confirmed
   */
  async createSecret(em: EntityManager, { id, email }: User): Promise<NewAuthenticatorDto | null> {
    const secret = new Secret({ size: SECRET_BYTES });
    const sealed = seal(this.key, secret.base32, encryptionContext(id));
    if (!(await this.mfa.upsertAuthenticator(em, id, sealed))) return null;
    return { secret: secret.base32, uri: this.createTotp(secret.base32, email).toString() };
  }

  /** Confirms the app by a first valid code. Returns false if the code is wrong or there is no unconfirmed app. */
  confirmEnrolment(em: EntityManager, userId: number, code: string): Promise<boolean> {
    return this.consumeTotpCode(em, userId, code, false);
  }

  /** Accepts a code of a confirmed app once. Of concurrent calls with the same code, one returns true. */
  consumeCode(em: EntityManager, userId: number, code: string): Promise<boolean> {
    return this.consumeTotpCode(em, userId, code, true);
  }

  /** Removes the app. @returns whether there was a confirmed one */
  async removeAuthenticator(em: EntityManager, userId: number): Promise<boolean> {
    const wasEnrolled = (await this.mfa.findEnrolledAt(em, userId)) !== null;
    await this.mfa.deleteAuthenticator(em, userId);
    return wasEnrolled;
  }

  /** Re-encrypts secrets that were encrypted with an older `APP_SECRET`. */
  private async consumeTotpCode(
    em: EntityManager,
    userId: number,
    code: string,
    isConfirmed: boolean,
  ): Promise<boolean> {
    const now = this.clock.now();
    const row = await this.mfa.findAuthenticator(em, userId);
    if (!row || (row.confirmedAt !== null) !== isConfirmed) return false;
    const secret = this.decryptSecret(row.secret, userId);
    const step = secret === null ? null : findTimeStep(this.createTotp(secret, ''), code, now);
    if (secret === null || step === null) return false;
    const newSecret = isSealedWithNewestKey(this.key, row.secret)
      ? row.secret
      : seal(this.key, secret, encryptionContext(userId));
    return this.mfa.updateAuthenticator(em, userId, { secret: row.secret, newSecret, step, isConfirmed, now });
  }

  /**
   * Returns null if `APP_SECRET` no longer contains the key the secret was encrypted with; every code is then wrong.
   */
  private decryptSecret(sealed: string, userId: number): string | null {
    try {
      return unseal(this.key, sealed, encryptionContext(userId));
    } catch (error) {
      this.logger.error({ err: error, userId }, "Couldn't decrypt the secret of an authenticator app.");
      return null;
    }
  }

  private createTotp(secret: string, email: string): TOTP {
    return new TOTP({
      issuer: this.config.appName,
      label: email,
      secret: Secret.fromBase32(secret),
      period: PERIOD_SECONDS,
    });
  }
}

/** Returns the 30-second time step of a valid code, or null. */
function findTimeStep(totp: TOTP, code: string, now: Date): number | null {
  const delta = totp.validate({ token: code, timestamp: now.getTime(), window: WINDOW });
  return delta === null ? null : Math.floor(now.getTime() / 1000 / PERIOD_SECONDS) + delta;
}

const encryptionContext = (userId: number): string => `authenticator of user ${userId}`;
