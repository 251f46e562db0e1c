import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { AuditRepository } from '../../../platform/audit/audit.repository.js';
import { HOUR } from '../../../platform/clock/clock.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { RateLimitService, type RateRule } from '../../../platform/http/limits/rate-limit.service.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { authErrors } from '../auth.errors.js';
import type { User } from '../entities/user.entity.js';
import { sendAddressVerification } from '../auth.jobs.js';
import { SingleUseTokenRepository, type StoredToken } from '../tokens/single-use-token.repository.js';
import { UserRepository } from '../users/user.repository.js';
import { UserService } from '../users/user.service.js';

const EMAILS_PER_USER: RateRule = { name: 'verification', limit: 5, window: HOUR };

/** An emailed verification link that is not about joining a zone. */
export interface VerificationLink {
  readonly token: StoredToken;
  readonly user: User;
}

/** Verifies the address of an account by an emailed link. */
@Injectable()
export class EmailVerificationService {
  constructor(
    private readonly em: EntityManager,
    private readonly users: UserService,
    private readonly userRepository: UserRepository,
    private readonly tokens: SingleUseTokenRepository,
    private readonly limits: RateLimitService,
    private readonly jobs: JobsService,
    private readonly audit: AuditRepository,
  ) {}

  /**
   * Emails the verification link to a user whose address is unverified.
   * @returns false if the address is already verified; nothing is sent then
   * @throws TOO_MANY_REQUESTS
   */
  async requestVerification(userId: number): Promise<boolean> {
    const user = await this.userRepository.getManagedUser(userId);
    if (user.emailVerified) return false;
    await this.limits.consume(EMAILS_PER_USER, userId);
    await this.jobs.enqueue(this.em, sendAddressVerification, { userId });
    return true;
  }

  /**
   * Looks up what the link would do. Changes nothing, because mail scanners follow links.
   * @throws TOKEN_INVALID for an unknown or expired link, and for one that is about joining
   */
  async findVerificationLink(token: string): Promise<VerificationLink> {
    const stored = await this.tokens.findToken(token, 'verify-email');
    if (!stored || stored.subject !== '' || (stored.isExpired && !stored.usedAt)) throw authErrors.TOKEN_INVALID();
    const user = await this.userRepository.findUserByEmail(stored.email);
    if (!user || user.deactivatedAt) throw authErrors.TOKEN_INVALID();
    return { token: stored, user };
  }

  /**
   * Verifies the address. A second click finds it done and changes nothing. Creates no session.
   * @throws TOKEN_INVALID
   */
  async verifyEmail(token: string): Promise<VerificationLink> {
    const found = await this.findVerificationLink(token);
    if (found.token.usedAt) return found;
    await inTransaction(this.em, async (em) => {
      const user = await this.userRepository.lockUser(em, found.user.id);
      if (!(await this.tokens.consumeToken(em, found.token.id))) return;
      await this.users.markEmailVerified(em, user);
      await this.audit.record(em, { type: 'user.address-verified', actorId: user.id, subjectId: user.id });
    });
    return found;
  }
}
