import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { MINUTE } from '../../../platform/clock/clock.js';
import { setPoolTenantPerson } from '../../../platform/database/pool/pool-partitioning.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { networkOf } from '../../../platform/http/networks/client-network.js';
import { isValidEmail } from '../../../platform/http/parsing/fields.js';
import { RateLimitService, type RateRule } from '../../../platform/http/limits/rate-limit.service.js';
import { authErrors, singleSignOnErrors } from '../auth.errors.js';
import { SignInService } from '../sign-in/sign-in.service.js';
import type { SignInResult } from '../sign-in/session-issuer.service.js';
import { UserRepository } from '../users/user.repository.js';
import { SsoAuthorizationRequestService } from './sso-authorization-request.service.js';
import { SingleSignOnRepository } from './single-sign-on.repository.js';
import { ExternalAccountService } from './external-account.service.js';
import { IdentityLinkingService, type SsoVisitor } from './identity-linking.service.js';
import { IdentityProviderService, type VerifiedIdentity } from './identity-provider.service.js';

/** For all steps together. */
export const SSO_LIMIT: RateRule = { name: 'sso-ip', limit: 100, window: 15 * MINUTE };
/** Attempts to find a username that is not taken concurrently. */
const MAX_USERNAME_ATTEMPTS = 5;

/**
 * The result of a callback: a sign-in (which may wait for a second factor), or an account whose owner must confirm
 * first (`linkId` is for the cookie).
 */
export type CallbackResult = { readonly next: string | null } & (
  { readonly entry: SignInResult; readonly linkId: null } | { readonly entry: null; readonly linkId: string }
);

/** Single sign-on with an identity provider. */
@Injectable()
export class SingleSignOnService {
  constructor(
    private readonly em: EntityManager,
    private readonly singleSignOn: SingleSignOnRepository,
    private readonly provider: IdentityProviderService,
    private readonly authorizationRequests: SsoAuthorizationRequestService,
    private readonly externalAccounts: ExternalAccountService,
    private readonly identityLinking: IdentityLinkingService,
    private readonly users: UserRepository,
    private readonly signIns: SignInService,
    private readonly limits: RateLimitService,
  ) {}

  /**
   * Starts a sign-in.
   * @param next path of this site to redirect to afterwards
   * @returns the provider's URL, and the id for the browser's cookie
   * @throws SSO_OFF, SSO_UNAVAILABLE, TOO_MANY_REQUESTS
   */
  async beginSignIn(next: string | null): Promise<{ url: string; id: string }> {
    const { id, secrets } = this.authorizationRequests.createSecrets();
    const url = await this.provider.createAuthorizationUrl(secrets);
    await this.singleSignOn.insertAuthorizationRequest(id, next);
    return { url, id };
  }

  /**
   * Completes a sign-in after the provider's callback.
   * @param id from the browser's cookie
   * @param callbackQuery query of the callback
   * @throws SSO_EXPIRED, SSO_REFUSED, SSO_UNAVAILABLE, SSO_EMAIL_UNVERIFIED, ACCOUNT_DEACTIVATED, TOO_MANY_REQUESTS
   */
  async completeSignIn(id: string | null, callbackQuery: string, visitor: SsoVisitor): Promise<CallbackResult> {
    await this.limits.consume(SSO_LIMIT, networkOf(visitor.origin.ipAddress));
    const { secrets, next } = await this.authorizationRequests.consumeRequest(id, callbackQuery);
    const identity = await this.provider.exchangeCode(callbackQuery, secrets);
    // Repeated at the end: a concurrent callback of the same new identity may have created the account in the meantime.
    const signIn =
      (await this.signInLinkedAccount(identity, visitor)) ??
      (await this.signUpWithIdentity(identity, visitor)) ??
      (await this.signInLinkedAccount(identity, visitor));
    if (signIn) return { entry: signIn, linkId: null, next };
    return { entry: null, linkId: await this.identityLinking.createPendingLink(requireVerifiedEmail(identity)), next };
  }

  private async signInLinkedAccount(
    identity: VerifiedIdentity,
    { origin, previousSid }: SsoVisitor,
  ): Promise<SignInResult | null> {
    const ownerId = await this.singleSignOn.findOwner(identity);
    if (ownerId === null) return null;
    // Only selects the pool tenant: the transaction decides who the owner is.
    setPoolTenantPerson(ownerId);
    return inTransaction(this.em, async (em) => {
      const userId = await this.singleSignOn.updateUsed(em, identity);
      if (userId === null) return null;
      const user = await this.users.lockUser(em, userId);
      if (user.deactivatedAt) throw authErrors.ACCOUNT_DEACTIVATED();
      return this.signIns.createSession(em, user, origin, previousSid, { confirmed: false });
    });
  }

  /**
   * Returns null if the address already has an account. Retries with a numbered username if one is taken concurrently.
   */
  private async signUpWithIdentity(found: VerifiedIdentity, visitor: SsoVisitor): Promise<SignInResult | null> {
    const identity = requireVerifiedEmail(found);
    for (let tries = 1; ; tries++) {
      try {
        return await inTransaction(this.em, async (em) => {
          const user = await this.externalAccounts.createAccount(em, identity, visitor.language, visitor.origin);
          return (
            user && this.signIns.createSession(em, user, visitor.origin, visitor.previousSid, { confirmed: false })
          );
        });
      } catch (error) {
        // Created concurrently, with another address that the provider reported the other time.
        if (getErrorCode(error) === 'SSO_LINKED_ELSEWHERE') return null;
        if (getErrorCode(error) !== 'USERNAME_TAKEN' || tries === MAX_USERNAME_ATTEMPTS) throw error;
      }
    }
  }
}

const getErrorCode = (error: unknown) => (error instanceof AppError ? error.code : null);

/** @throws SSO_EMAIL_UNVERIFIED unless the provider has verified an address that is valid here */
function requireVerifiedEmail(identity: VerifiedIdentity): VerifiedIdentity & { readonly email: string } {
  const { email, emailVerified } = identity;
  if (email === null || !emailVerified || !isValidEmail(email)) throw singleSignOnErrors.SSO_EMAIL_UNVERIFIED();
  return { ...identity, email };
}
