import type { Language } from '../../../platform/errors/app-error.js';
import type { SessionOrigin } from '../sessions/session.service.js';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { sql } from 'kysely';
import { addMilliseconds, Clock, HOUR } from '../../../platform/clock/clock.js';
import { setPoolTenantPerson } from '../../../platform/database/pool/pool-partitioning.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { RateLimitService, type RateRule } from '../../../platform/http/limits/rate-limit.service.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { digestOf, newToken } from '../../../platform/security/secrets.js';
import { authErrors, singleSignOnErrors } from '../auth.errors.js';
import type { User } from '../entities/user.entity.js';
import { PasswordConfirmationService } from '../passwords/password-confirmation.service.js';
import { AuthFailureService } from '../security-events/auth-failure.service.js';
import { SignInService } from '../sign-in/sign-in.service.js';
import type { SignInResult } from '../sign-in/session-issuer.service.js';
import { UserService } from '../users/user.service.js';
import { VerificationCodeService } from '../registration/verification-code.service.js';
import { PendingIdentityLinkSchema } from './entities/external-identity.entity.js';
import type { LinkedIdentity } from './external-account.service.js';
import type { PendingLinkDto } from './dto/single-sign-on.dto.js';
import { canConfirmByPassword } from './identity.policy.js';
import { sendLinkingCode } from '../auth.jobs.js';
import { SSO_LIFETIME } from '../shared/browser-cookies.js';

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

interface LinkRow extends LinkedIdentity {
  readonly id: number;
  readonly userId: number;
}

/**
 * Links an identity to an existing account only after its owner has proved once that the account is theirs. Until then
 * nothing about the account changes.
 */
@Injectable()
export class IdentityLinkingService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly users: UserService,
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
  async createPendingLink({ issuer, subject, email }: LinkedIdentity): Promise<string> {
    const user = await this.users.findByEmail(email);
    if (!user) throw singleSignOnErrors.SSO_EXPIRED();
    if (user.deactivatedAt) throw authErrors.ACCOUNT_DEACTIVATED();
    const id = newToken();
    const now = this.clock.now();
    const times = { created_at: now, expires_at: addMilliseconds(now, SSO_LIFETIME) };
    await query<typeof PendingIdentityLinkSchema>(this.em)
      .insertInto('pending_identity_links')
      .values({ digest: digestOf(id), user_id: user.id, issuer, subject, email, ...times })
      .execute();
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
    await this.countAttempt(id);
    const { row, user } = await this.findPendingLink(id, true);
    const verified = await this.verifyProof(user, proof).catch(async (error: unknown) => {
      await this.authFailures.recordSignInFailure(error, user.email, origin.ipAddress);
      throw error;
    });
    setPoolTenantPerson(row.userId);
    return inTransaction(this.em, async (em) => {
      await this.consumePendingLink(em, row.id);
      const owner = await this.users.lockUser(em, row.userId);
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

  private async countAttempt(id: string | null): Promise<void> {
    await query<typeof PendingIdentityLinkSchema>(this.em.fork())
      .updateTable('pending_identity_links')
      .set({ tries: sql<number>`tries + 1` })
      .where('digest', '=', digestOf(id ?? ''))
      .execute();
  }

  /** @param isCounted the current attempt is already counted */
  private async findPendingLink(id: string | null, isCounted = false): Promise<{ row: LinkRow; user: User }> {
    const row = await query<typeof PendingIdentityLinkSchema>(this.em.fork())
      .selectFrom('pending_identity_links')
      .select(['id', 'user_id as userId', 'issuer', 'subject', 'email'])
      .where('digest', '=', digestOf(id ?? ''))
      .where('expires_at', '>', this.clock.now())
      .where('tries', '<', isCounted ? MAX_ATTEMPTS + 1 : MAX_ATTEMPTS)
      .executeTakeFirst();
    const user = row && (await this.users.findById(row.userId));
    if (!user || user.email !== row.email) throw singleSignOnErrors.SSO_LINK_EXPIRED();
    if (user.deactivatedAt) throw authErrors.ACCOUNT_DEACTIVATED();
    return { row, user };
  }

  private async consumePendingLink(em: EntityManager, id: number): Promise<void> {
    const deleted = await query<typeof PendingIdentityLinkSchema>(em)
      .deleteFrom('pending_identity_links')
      .where('id', '=', id)
      .executeTakeFirst();
    if (deleted.numDeletedRows === 0n) throw singleSignOnErrors.SSO_LINK_EXPIRED();
  }
}
