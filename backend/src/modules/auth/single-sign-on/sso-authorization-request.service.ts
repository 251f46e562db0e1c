import { Injectable } from '@nestjs/common';
import { digestOf, keyedDigest, newToken, areDigestsEqual } from '../../../platform/security/secrets.js';
import type { SsoSecrets } from './identity-provider.service.js';
import { SingleSignOnRepository } from './single-sign-on.repository.js';
import { singleSignOnErrors } from '../auth.errors.js';

/** Sign-ins sent to the provider. Each is bound to one browser and can be completed once, within ten minutes. */
@Injectable()
export class SsoAuthorizationRequestService {
  constructor(private readonly singleSignOn: SingleSignOnRepository) {}

  /** Creates an id for the cookie and derives the secrets from it. Nothing is stored yet. */
  createSecrets(): { readonly id: string; readonly secrets: SsoSecrets } {
    const id = newToken();
    return { id, secrets: deriveSecrets(id) };
  }

  /**
   * Consumes a returned sign-in. Of concurrent callbacks, one gets it. A callback with a wrong state leaves it
   * unchanged, so that another site can't consume it.
   * @param id from the browser's cookie
   * @throws SSO_EXPIRED
   */
  async consumeRequest(
    id: string | null,
    callbackQuery: string,
  ): Promise<{ secrets: SsoSecrets; next: string | null }> {
    if (id === null) throw singleSignOnErrors.SSO_EXPIRED();
    const secrets = deriveSecrets(id);
    const states = new URLSearchParams(callbackQuery).getAll('state');
    if (states.length !== 1 || !areDigestsEqual(digestOf(states[0]!), digestOf(secrets.state))) {
      throw singleSignOnErrors.SSO_EXPIRED();
    }
    const row = await this.singleSignOn.consumeAuthorizationRequest(id);
    if (!row) throw singleSignOnErrors.SSO_EXPIRED();
    return { secrets, next: row.next };
  }
}

/** The id is long and random, so digests keyed with it reveal neither the id nor each other. */
function deriveSecrets(id: string): SsoSecrets {
  return {
    state: keyedDigest(id, 'state'),
    nonce: keyedDigest(id, 'nonce'),
    codeVerifier: keyedDigest(id, 'code verifier'),
  };
}
