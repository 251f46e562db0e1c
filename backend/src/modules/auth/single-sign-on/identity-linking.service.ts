import type { Language } from '../../../platform/errors/app-error.js';
import type { SessionOrigin } from '../sessions/session.service.js';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { HOUR } from '../../../platform/clock/clock.js';
import { setPoolTenantPerson } from '../../../platform/database/pool/pool-partitioning.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { RateLimitService, type RateRule } from '../../../platform/http/limits/rate-limit.service.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { newToken } from '../../../platform/security/secrets.js';
import { authErrors, singleSignOnErrors } from '../auth.errors.js';
import type { User } from '../entities/user.entity.js';
import { PasswordConfirmationService } from '../passwords/password-confirmation.service.js';
import { AuthFailureService } from '../security-events/auth-failure.service.js';
import { SignInService } from '../sign-in/sign-in.service.js';
import type { SignInResult } from '../sign-in/session-issuer.service.js';
import { UserRepository } from '../users/user.repository.js';
import { UserService } from '../users/user.service.js';
import { VerificationCodeService } from '../registration/verification-code.service.js';
import { SingleSignOnRepository, type LinkedIdentity, type PendingLinkRow } from './single-sign-on.repository.js';
import type { PendingLinkDto } from './dto/single-sign-on.dto.js';
import { canConfirmByPassword } from './identity.policy.js';
import { sendLinkingCode } from '../auth.jobs.js';

/** What the request says about a visitor who wants to sign in. */
export interface SsoVisitor {
  /** Language of an account that is created. */
  readonly language: Language;
  readonly origin: SessionOrigin;
  /** Id of the browser's previous session, which ends. */
  readonly previousSid: string | null;
}

const CODES_PER_USER: RateRule = { name: 'linking-code', limit: 5, window: HOUR };
/** Wrong attempts per link, by password and code together; then the link is void. */
const MAX_ATTEMPTS = 5;

export type LinkProof = { readonly password: string } | { readonly code: string };

/**
 * Links an identity to an existing account only after its owner has proved once that the account is theirs. Until then
 * nothing about the account changes.
 */
@Injectable()
export class IdentityLinkingService {
  constructor(
    private readonly em: EntityManager,
    private readonly singleSignOn: SingleSignOnRepository,
    private readonly users: UserService,
    private readonly userRepository: UserRepository,
    private readonly signIns: SignInService,
    private readonly passwordConfirmation: PasswordConfirmationService,
    private readonly codes: VerificationCodeService,
    private readonly limits: RateLimitService,
    private readonly jobs: JobsService,
    private readonly authFailures: AuthFailureService,
  ) {}

  /**
   * Stores a link that the account's owner must confirm.
   * @param identity with an address that the provider has verified
   * @returns the id for the browser's cookie
   * @throws ACCOUNT_DEACTIVATED
   * @throws SSO_EXPIRED if the account no longer exists
   */
  async createPendingLink(identity: LinkedIdentity): Promise<string> {
    const user = await this.userRepository.findUserByEmail(identity.email);
    if (!user) throw singleSignOnErrors.SSO_EXPIRED();
    if (user.deactivatedAt) throw authErrors.ACCOUNT_DEACTIVATED();
    const id = newToken();
    await this.singleSignOn.insertPendingLink(id, user.id, identity);
    return id;
  }

  /**
   * Returns what the page needs to ask for confirmation.
   * @throws SSO_LINK_EXPIRED
   */
  async getPendingLink(id: string | null): Promise<Omit<PendingLinkDto, 'provider'>> {
    const { user } = await this.findPendingLink(id);
    return { email: user.email, byPassword: canConfirmByPassword(user) };
  }

  /**
   * Emails a code to the account's address.
   * @throws SSO_LINK_EXPIRED, TOO_MANY_REQUESTS
   */
  async requestLinkingCode(id: string | null): Promise<void> {
    const { user } = await this.findPendingLink(id);
    await this.limits.consume(CODES_PER_USER, user.id);
    await this.jobs.enqueue(this.em, sendLinkingCode, { userId: user.id });
  }

  /**
   * Links the identity after the owner's password or an emailed code, and signs in. A second factor, if enrolled, is
   * required first; the identity is linked only then. A code also verifies the address. A wrong proof is logged as a
   * failed sign-in.
   * @throws SSO_LINK_EXPIRED, WRONG_PASSWORD, CODE_INVALID, SSO_LINKED_ELSEWHERE, TOO_MANY_REQUESTS
   */
  async confirmLink(id: string | null, proof: LinkProof, { origin, previousSid }: SsoVisitor): Promise<SignInResult> {
    await this.singleSignOn.countLinkAttempt(id);
    const { row, user } = await this.findPendingLink(id, true);
    const verified = await this.verifyProof(user, proof).catch(async (error: unknown) => {
      await this.authFailures.recordSignInFailure(error, user.email, origin.ipAddress);
      throw error;
    });
    setPoolTenantPerson(row.userId);
    return inTransaction(this.em, async (em) => {
      const isUsable = await this.singleSignOn.deletePendingLink(em, row.id);
      if (!isUsable) throw singleSignOnErrors.SSO_LINK_EXPIRED();
      const owner = await this.userRepository.lockUser(em, row.userId);
      if (owner.email !== row.email || owner.deactivatedAt) throw singleSignOnErrors.SSO_LINK_EXPIRED();
      if ('hash' in verified && owner.password !== verified.hash) throw authErrors.WRONG_PASSWORD();
      if ('codeId' in verified) {
        await this.codes.consumeCode(em, verified.codeId);
        await this.users.markEmailVerified(em, owner);
      }
      return this.signIns.createSession(em, owner, origin, previousSid, { identity: row, confirmed: true });
    });
  }

  /** Verifies the proof. The attempt is counted before the comparison. */
  private async verifyProof(user: User, proof: LinkProof): Promise<{ hash: string } | { codeId: number }> {
    if ('code' in proof) return { codeId: await this.codes.verifyCode(user.email, 'link-identity', proof.code) };
    if (!canConfirmByPassword(user)) throw authErrors.WRONG_PASSWORD();
    return { hash: await this.passwordConfirmation.verifyPassword(user.id, proof.password) };
  }

  /** @param isCounted the current attempt is already counted */
  private async findPendingLink(id: string | null, isCounted = false): Promise<{ row: PendingLinkRow; user: User }> {
    const row = await this.singleSignOn.findPendingLink(id, isCounted ? MAX_ATTEMPTS + 1 : MAX_ATTEMPTS);
    const user = row && (await this.userRepository.getManagedUser(row.userId));
    if (!user || user.email !== row.email) throw singleSignOnErrors.SSO_LINK_EXPIRED();
    if (user.deactivatedAt) throw authErrors.ACCOUNT_DEACTIVATED();
    return { row, user };
  }
}
