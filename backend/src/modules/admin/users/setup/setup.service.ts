import { randomUUID } from 'node:crypto';
import { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AuditService } from '../../../../platform/audit/audit.service.js';
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
import { SingleUseTokenService } from '../../../auth/tokens/single-use-token.service.js';
import { SuperAdminService } from '../../../auth/users/super-admin.service.js';
import { UserService } from '../../../auth/users/user.service.js';
import { adminErrors } from '../../admin.errors.js';
import type { SetupDto } from './setup.dto.js';

/** Keys that are not good. A good one is never refused by it: nobody locks out who has the key. */
const WRONG_KEY_LIMIT: RateRule = { name: 'setup-key', limit: 10, window: HOUR };

/**
 * The first super admin of an installation, made in the browser by who has the key that the start prints. Open only while
 * there is none, and nobody is named by SUPER_ADMIN_EMAIL.
 */
@Injectable()
export class SetupService implements OnModuleInit {
  /** A key of this process voids its older ones, and none of another web process. */
  private readonly processId = randomUUID();

  constructor(
    private readonly orm: MikroORM,
    private readonly em: EntityManager,
    private readonly config: AppConfig,
    private readonly users: UserService,
    private readonly superAdmins: SuperAdminService,
    private readonly tokens: SingleUseTokenService,
    private readonly sessionIssuer: SessionIssuerService,
    private readonly limits: RateLimitService,
    private readonly startupMessages: StartupMessages,
    private readonly setupProgress: SetupProgressService,
    private readonly audit: AuditService,
  ) {}

  onModuleInit(): void {
    this.startupMessages.add(async () => {
      const key = await this.issueKey();
      return key === null ? null : (url) => `Set it up: ${url}/setup?key=${key}`;
    });
  }

  /** A key for an hour; null where the setup is closed. */
  async issueKey(): Promise<string | null> {
    if (this.isSuperAdminConfigured()) return null;
    return inTransaction(this.orm.em.fork() as EntityManager, async (em) => {
      if ((await this.superAdmins.listActiveSuperAdmins(em)).length > 0) return null;
      return this.tokens.issueToken(em, { email: '', purpose: 'setup', subject: this.processId }, HOUR);
    });
  }

  /**
   * Whether a key is good; it stays so.
   * @returns its id
   * @throws SETUP_CLOSED for an unknown, used or expired one and where there is a super admin, all alike; TOO_MANY_REQUESTS
   */
  async verifyKey(key: unknown, { ipAddress }: SessionOrigin): Promise<number> {
    const id = await this.findUsableKey(key);
    if (id !== null) return id;
    await this.limits.consume(WRONG_KEY_LIMIT, networkOf(ipAddress));
    throw adminErrors.SETUP_CLOSED();
  }

  /**
   * What is asked after the account that a key makes; the key stays good.
   * @throws as `look`
   */
  async listFollowingSteps(key: unknown, origin: SessionOrigin): Promise<SetupStep[]> {
    await this.verifyKey(key, origin);
    return (await this.superAdmins.isOnlyAccount(this.em, null)) ? remainingSteps(setupSteps[0], this.config) : [];
  }

  /**
   * Makes the super admin, uses the key, and signs the person in. Of two keys at once one does; what is refused here
   * leaves the key good.
   * @throws SETUP_CLOSED, EMAIL_TAKEN, USERNAME_TAKEN, VALIDATION_FAILED, SERVER_BUSY, TOO_MANY_REQUESTS
   */
  async createFirstSuperAdmin(dto: SetupDto, language: Language, origin: SessionOrigin): Promise<SignInResult> {
    // Before the hash, which is dear: who has no key costs nothing.
    const keyId = await this.verifyKey(dto.key, origin);
    const passwordHash = await this.users.validateAndHashPassword(dto.password, 'password', dto);
    return inTransaction(this.em, async (em) => {
      if (await this.superAdmins.lockSuperAdminCreation(em)) throw adminErrors.SETUP_CLOSED();
      if (!(await this.tokens.consumeToken(em, keyId))) throw adminErrors.SETUP_CLOSED();
      const user = await this.superAdmins.createSuperAdmin(em, dto.email, language);
      if (!user) throw emailChangeErrors.EMAIL_TAKEN();
      await this.users.completeProfile(em, user, dto, passwordHash);
      // Where others are already, what it is for was decided before: nobody is to change it by going on.
      if (await this.superAdmins.isOnlyAccount(em, user.id)) await this.setupProgress.start(em, user.id);
      // Those of other processes, too: they must not come to life when this super admin goes.
      await this.tokens.revokeAllTokens(em, 'setup');
      const fact = { actorId: user.id, subjectId: user.id, ipAddress: origin.ipAddress };
      await this.audit.record(em, { type: 'user.registered', ...fact });
      return this.sessionIssuer.createSession(em, user, { origin, restricted: false, confirmed: true });
    });
  }

  private async findUsableKey(key: unknown): Promise<number | null> {
    if (this.isSuperAdminConfigured() || typeof key !== 'string') return null;
    const found = await this.tokens.findToken(key, 'setup');
    if (!found || found.usedAt || found.isExpired) return null;
    return (await this.superAdmins.listActiveSuperAdmins(this.em)).length > 0 ? null : found.id;
  }

  /** Who it is to be stands in the configuration already. */
  private isSuperAdminConfigured(): boolean {
    return this.config.superAdminEmail !== null;
  }
}
