import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { addMilliseconds, Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { digestOf, keyedDigest, newToken, areDigestsEqual } from '../../../platform/security/secrets.js';
import { SsoAuthorizationRequestSchema } from './entities/external-identity.entity.js';
import type { SsoSecrets } from './identity-provider.service.js';
import { SSO_LIFETIME } from '../shared/browser-cookies.js';
import { singleSignOnErrors } from '../auth.errors.js';

/** Sign-ins sent to the provider. Each is bound to one browser and can be completed once, within ten minutes. */
@Injectable()
export class SsoAuthorizationRequestService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** Creates an id for the cookie and derives the secrets from it. Nothing is stored until `storeRequest`. */
  createSecrets(): { readonly id: string; readonly secrets: SsoSecrets } {
    const id = newToken();
    return { id, secrets: deriveSecrets(id) };
  }

  /** @param next path of this site to redirect to afterwards */
  async storeRequest(id: string, next: string | null): Promise<void> {
    const now = this.clock.now();
    const row = { digest: digestOf(id), next, created_at: now, expires_at: addMilliseconds(now, SSO_LIFETIME) };
    await query<typeof SsoAuthorizationRequestSchema>(this.em).insertInto('begun_sign_ins').values(row).execute();
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
    const row = await query<typeof SsoAuthorizationRequestSchema>(this.em)
      .deleteFrom('begun_sign_ins')
      .where('digest', '=', digestOf(id))
      .where('expires_at', '>', this.clock.now())
      .returning('next')
      .executeTakeFirst();
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
