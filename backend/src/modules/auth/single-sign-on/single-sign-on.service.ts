import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { MINUTE } from '../../../platform/clock/clock.js';
import { chargePerson } from '../../../platform/database/pool/places.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { networkOf } from '../../../platform/http/networks/client-network.js';
import { isAddress } from '../../../platform/http/reading/fields.js';
import { RateLimits, type RateRule } from '../../../platform/http/limits/rate-limits.service.js';
import { authErrors, singleSignOnErrors } from '../auth.errors.js';
import { SignInService } from '../sign-in/sign-in.service.js';
import type { Entry } from '../sign-in/session-opener.service.js';
import { UserService } from '../users/user.service.js';
import { BegunSignIns } from './begun-sign-in.service.js';
import { ExternalAccounts } from './external-account.service.js';
import { IdentityLinking, type Visitor } from './identity-linking.service.js';
import { IdentityProvider, type ProvenIdentity } from './identity-provider.service.js';

/** Of all steps together. */
export const SSO_LIMIT: RateRule = { name: 'sso-ip', limit: 100, window: 15 * MINUTE };
/** Tries to find a user name that nobody takes at the same moment. */
const TRIES = 5;

/**
 * What came of a callback: a sign-in (which may wait for a second factor), or an account whose owner has to confirm first
 * (`linkId` is for the cookie).
 */
export type Arrival = { readonly next: string | null } & (
  { readonly entry: Entry; readonly linkId: null } | { readonly entry: null; readonly linkId: string }
);

/** Signing in by a provider of identities. */
@Injectable()
export class SingleSignOn {
  constructor(
    private readonly em: EntityManager,
    private readonly provider: IdentityProvider,
    private readonly begun: BegunSignIns,
    private readonly accounts: ExternalAccounts,
    private readonly linking: IdentityLinking,
    private readonly users: UserService,
    private readonly signIns: SignInService,
    private readonly limits: RateLimits,
  ) {}

  /**
   * Begins a sign-in.
   * @param next path of ours to go to afterwards
   * @returns the address at the provider, and the id for the browser's cookie
   * @throws SSO_OFF, SSO_UNAVAILABLE, TOO_MANY_REQUESTS
   */
  async begin(next: string | null): Promise<{ url: string; id: string }> {
    const { id, secrets } = this.begun.draw();
    const url = await this.provider.addressFor(secrets);
    await this.begun.keep(id, next);
    return { url, id };
  }

  /**
   * Takes up what came back from the provider.
   * @param id of the browser's cookie
   * @param search query of the callback
   * @throws SSO_EXPIRED, SSO_REFUSED, SSO_UNAVAILABLE, SSO_EMAIL_UNVERIFIED, ACCOUNT_DEACTIVATED, TOO_MANY_REQUESTS
   */
  async finish(id: string | null, search: string, visitor: Visitor): Promise<Arrival> {
    await this.limits.spend(SSO_LIMIT, networkOf(visitor.origin.ipAddress));
    const { secrets, next } = await this.begun.use(id, search);
    const identity = await this.provider.identify(search, secrets);
    // Asked again at the end: of two callbacks of one new identity at once, the other has made the account meanwhile.
    const entry =
      (await this.enterLinked(identity, visitor)) ??
      (await this.enterNew(identity, visitor)) ??
      (await this.enterLinked(identity, visitor));
    if (entry) return { entry, linkId: null, next };
    return { entry: null, linkId: await this.linking.ask(withEmail(identity)), next };
  }

  private async enterLinked(identity: ProvenIdentity, { origin, previousSid }: Visitor): Promise<Entry | null> {
    const known = await this.accounts.ownerOf(this.em, identity);
    if (known === null) return null;
    chargePerson(known);
    return inTransaction(this.em, async (em) => {
      const userId = await this.accounts.find(em, identity);
      if (userId === null) return null;
      const user = await this.users.lock(em, userId);
      if (user.deactivatedAt) throw authErrors.ACCOUNT_DEACTIVATED();
      return this.signIns.enter(em, user, origin, previousSid, { confirmed: false });
    });
  }

  /** null when the address has an account. A user name that was taken at the same moment is tried again with a number. */
  private async enterNew(found: ProvenIdentity, visitor: Visitor): Promise<Entry | null> {
    const identity = withEmail(found);
    for (let tries = 1; ; tries++) {
      try {
        return await inTransaction(this.em, async (em) => {
          const user = await this.accounts.make(em, identity, visitor.language, visitor.origin);
          return user && this.signIns.enter(em, user, visitor.origin, visitor.previousSid, { confirmed: false });
        });
      } catch (error) {
        // Made meanwhile, with another address that the provider told the other time.
        if (codeOf(error) === 'SSO_LINKED_ELSEWHERE') return null;
        if (codeOf(error) !== 'USERNAME_TAKEN' || tries === TRIES) throw error;
      }
    }
  }
}

const codeOf = (error: unknown) => (error instanceof AppError ? error.code : null);

/** @throws SSO_EMAIL_UNVERIFIED unless the provider has verified an address that can be one here */
function withEmail(identity: ProvenIdentity): ProvenIdentity & { readonly email: string } {
  const { email, emailVerified } = identity;
  if (email === null || !emailVerified || !isAddress(email)) throw singleSignOnErrors.SSO_EMAIL_UNVERIFIED();
  return { ...identity, email };
}
