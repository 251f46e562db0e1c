import { randomUUID } from 'node:crypto';
import { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AuditRepository } from '../../../../platform/audit/audit.repository.js';
import { HOUR } from '../../../../platform/clock/clock.js';
import { AppConfig } from '../../../../platform/config/app-config.js';
import { inTransaction } from '../../../../platform/database/transaction.js';
import type { Language } from '../../../../platform/errors/app-error.js';
import { StartupMessages } from '../../../../platform/health/startup-messages.js';
import { RateLimitService, type RateRule } from '../../../../platform/http/limits/rate-limit.service.js';
import { networkOf } from '../../../../platform/http/networks/client-network.js';
import {
  SetupProgressService,
  setupSteps,
  type SetupStep,
} from '../../../../platform/installation/setup-progress.service.js';
import { remainingSteps } from '../../../../platform/installation/setup-steps.js';
import { emailChangeErrors } from '../../../auth/auth.errors.js';
import type { SessionOrigin } from '../../../auth/sessions/session.service.js';
import { SessionIssuerService, type SignInResult } from '../../../auth/sign-in/session-issuer.service.js';
import { SingleUseTokenRepository } from '../../../auth/tokens/single-use-token.repository.js';
import { UserRepository } from '../../../auth/users/user.repository.js';
import { SuperAdminService } from '../../../auth/users/super-admin.service.js';
import { UserService } from '../../../auth/users/user.service.js';
import { adminErrors } from '../../admin.errors.js';
import type { SetupDto } from './setup.dto.js';

/** Counts invalid keys only. Valid keys are never limited, so an attacker can't lock out the key's holder. */
const WRONG_KEY_LIMIT: RateRule = { name: 'setup-key', limit: 10, window: HOUR };

/**
 * Creates the first super admin of an installation, for the person who has the key printed at startup. Open only while
 * there is no super admin and SUPER_ADMIN_EMAIL names none.
 */
@Injectable()
export class SetupService implements OnModuleInit {
  /** Keys are issued per process: a new key invalidates only this process's older keys. */
  private readonly processId = randomUUID();

  constructor(
    private readonly orm: MikroORM,
    private readonly em: EntityManager,
    private readonly config: AppConfig,
    private readonly users: UserService,
    private readonly superAdmins: SuperAdminService,
    private readonly userRepository: UserRepository,
    private readonly tokens: SingleUseTokenRepository,
    private readonly sessionIssuer: SessionIssuerService,
    private readonly limits: RateLimitService,
    private readonly startupMessages: StartupMessages,
    private readonly setupProgress: SetupProgressService,
    private readonly audit: AuditRepository,
  ) {}

  onModuleInit(): void {
    this.startupMessages.add(async () => {
      const key = await this.issueKey();
      return key === null ? null : (url) => `Set it up: ${url}/setup?key=${key}`;
    });
  }

  /** Issues a key for one hour; null if the setup is closed. */
  async issueKey(): Promise<string | null> {
    if (this.isSuperAdminConfigured()) return null;
    return inTransaction(this.orm.em.fork() as EntityManager, async (em) => {
      if ((await this.userRepository.findActiveSuperAdmins(em)).length > 0) return null;
      return this.tokens.issueToken(em, { email: '', purpose: 'setup', subject: this.processId }, HOUR);
    });
  }

  /**
   * Checks a key without using it up.
   * @returns its id
   * @throws SETUP_CLOSED for an unknown, used or expired key or if there is a super admin (the cases are not
   * distinguished); TOO_MANY_REQUESTS
   */
  async verifyKey(key: unknown, { ipAddress }: SessionOrigin): Promise<number> {
    const id = await this.findUsableKey(key);
    if (id !== null) return id;
    await this.limits.consume(WRONG_KEY_LIMIT, networkOf(ipAddress));
    throw adminErrors.SETUP_CLOSED();
  }

  /**
   * Returns the setup steps that follow the account creation. The key stays valid.
   * @throws the errors of `verifyKey`
   */
  async listFollowingSteps(key: unknown, origin: SessionOrigin): Promise<SetupStep[]> {
    await this.verifyKey(key, origin);
    return (await this.userRepository.isOnlyAccount(this.em, null)) ? remainingSteps(setupSteps[0], this.config) : [];
  }

  /**
   * Creates the super admin, consumes the key and signs the user in. Of two keys used concurrently, one succeeds. The
   * key stays valid after any error.
   * @throws SETUP_CLOSED, EMAIL_TAKEN, USERNAME_TAKEN, USERNAME_RESERVED, VALIDATION_FAILED, SERVER_BUSY,
   * TOO_MANY_REQUESTS
   */
  async createFirstSuperAdmin(dto: SetupDto, language: Language, origin: SessionOrigin): Promise<SignInResult> {
    // Before the hash, which is expensive: requests without a valid key cost little.
    const keyId = await this.verifyKey(dto.key, origin);
    const passwordHash = await this.users.validateAndHashPassword(dto.password, 'password', dto);
    return inTransaction(this.em, async (em) => {
      if (await this.userRepository.lockSuperAdminCreation(em)) throw adminErrors.SETUP_CLOSED();
      if (!(await this.tokens.consumeToken(em, keyId))) throw adminErrors.SETUP_CLOSED();
      const user = await this.superAdmins.createSuperAdmin(em, dto.email, language);
      if (!user) throw emailChangeErrors.EMAIL_TAKEN();
      await this.users.completeProfile(em, user, dto, passwordHash);
      // If other accounts exist, the installation was set up before, and the wizard must not change its settings.
      if (await this.userRepository.isOnlyAccount(em, user.id)) await this.setupProgress.start(em, user.id);
      // Includes keys of other processes, which must not become usable again when this super admin is removed.
      await this.tokens.revokeAllTokens(em, 'setup');
      const fact = { actorId: user.id, subjectId: user.id, ipAddress: origin.ipAddress };
      await this.audit.record(em, { type: 'user.super-admin-set-up', ...fact });
      await this.audit.record(em, { type: 'user.registered', ...fact });
      return this.sessionIssuer.createSession(em, user, { origin, restricted: false, confirmed: true });
    });
  }

  private async findUsableKey(key: unknown): Promise<number | null> {
    if (this.isSuperAdminConfigured() || typeof key !== 'string') return null;
    const found = await this.tokens.findToken(key, 'setup');
    if (!found || found.usedAt || found.isExpired) return null;
    return (await this.userRepository.findActiveSuperAdmins(this.em)).length > 0 ? null : found.id;
  }

  private isSuperAdminConfigured(): boolean {
    return this.config.superAdminEmail !== null;
  }
}
