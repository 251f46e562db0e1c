import { Injectable, Logger } from '@nestjs/common';
import * as oidc from 'openid-client';
import { Clock, HOUR } from '../../../platform/clock/clock.js';
import { AppConfig, type SingleSignOnConfig } from '../../../platform/config/app-config.js';
import { normaliseEmail } from '../../../platform/http/parsing/fields.js';
import { singleSignOnErrors } from '../auth.errors.js';

/** Seconds for one request to the provider. */
const TIMEOUT_SECONDS = 5;
/** How long what the provider says of itself is kept. Its keys are read again by themselves when one is unknown. */
const DISCOVERY_CACHE_TTL = HOUR;

/** The values that tie one sign-in to one browser. */
export interface SsoSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** What the provider says of somebody, with its signature checked. */
export interface VerifiedIdentity {
  readonly issuer: string;
  readonly subject: string;
  /** In the form in which addresses are kept; null when none is told. */
  readonly email: string | null;
  /** True only when the provider says so in so many words. */
  readonly emailVerified: boolean;
  readonly givenName: string | null;
  readonly familyName: string | null;
  readonly preferredUsername: string | null;
}

/** The provider answered, and the answer does not let this person in. */
const REJECTION_CODES = new Set([
  'OAUTH_AUTHORIZATION_RESPONSE_ERROR',
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
]);

/** The provider of identities, by OpenID Connect: authorization code with PKCE, state and nonce. */
@Injectable()
export class IdentityProviderService {
  private readonly logger = new Logger(IdentityProviderService.name);
  private cachedConfiguration: { readonly configuration: Promise<oidc.Configuration>; readonly at: number } | null =
    null;

  constructor(
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {}

  /** Where the provider sends people back to; registered there. */
  get callbackUrl(): string {
    return `${this.config.appUrl}/api/single-sign-on/callback`;
  }

  /**
   * The address at the provider to which a browser goes to sign in.
   * @throws SSO_OFF, SSO_UNAVAILABLE
   */
  async createAuthorizationUrl({ state, nonce, codeVerifier }: SsoSecrets): Promise<string> {
    return this.withConfiguration(async (configuration) => {
      const url = oidc.buildAuthorizationUrl(configuration, {
        redirect_uri: this.callbackUrl,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      });
      return url.href;
    });
  }

  /**
   * Exchanges the code that the browser brought back, and reads who it is.
   * @param search query of the callback, with the question mark
   * @throws SSO_REFUSED, SSO_UNAVAILABLE, SSO_OFF
   */
  async exchangeCode(callbackQuery: string, secrets: SsoSecrets): Promise<VerifiedIdentity> {
    return this.withConfiguration(async (configuration) => {
      const tokens = await oidc.authorizationCodeGrant(configuration, new URL(this.callbackUrl + callbackQuery), {
        expectedState: secrets.state,
        expectedNonce: secrets.nonce,
        pkceCodeVerifier: secrets.codeVerifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims()!;
      // Providers that keep the ID token small tell the address at the userinfo endpoint only.
      const hasEmailClaim = typeof claims.email === 'string' || !configuration.serverMetadata().userinfo_endpoint;
      const person = hasEmailClaim ? claims : await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub);
      return toVerifiedIdentity(claims, person);
    });
  }

  /** Runs a conversation with the provider; what goes wrong in it becomes a sentence. */
  private async withConfiguration<T>(work: (configuration: oidc.Configuration) => Promise<T>): Promise<T> {
    const settings = this.config.singleSignOn;
    if (!settings) throw singleSignOnErrors.SSO_OFF();
    const configuration = await this.getConfiguration(settings).catch((error: unknown) =>
      this.throwProviderError(error, false),
    );
    return work(configuration).catch((error: unknown) => this.throwProviderError(error, isRejection(error)));
  }

  /** The log has the code alone: messages and causes may repeat tokens and addresses. */
  private throwProviderError(error: unknown, rejected: boolean): never {
    this.logger.warn(`The identity provider: ${getErrorCode(error)}`);
    throw rejected ? singleSignOnErrors.SSO_REFUSED() : singleSignOnErrors.SSO_UNAVAILABLE();
  }

  /** What the provider says of itself, asked when it is needed first; a failure is not kept. */
  private getConfiguration(settings: SingleSignOnConfig): Promise<oidc.Configuration> {
    const now = this.clock.now().getTime();
    if (this.cachedConfiguration && now - this.cachedConfiguration.at < DISCOVERY_CACHE_TTL)
      return this.cachedConfiguration.configuration;
    const configuration = this.discoverConfiguration(settings);
    const found = { configuration, at: now };
    this.cachedConfiguration = found;
    configuration.catch(() => {
      if (this.cachedConfiguration === found) this.cachedConfiguration = null;
    });
    return configuration;
  }

  private discoverConfiguration({ issuer, clientId, clientSecret }: SingleSignOnConfig): Promise<oidc.Configuration> {
    const url = new URL(issuer);
    // The signature is checked although the token comes by a connection of our own: one guard more costs nothing.
    const execute = [oidc.enableNonRepudiationChecks];
    // The configuration allows http for loopback alone.
    if (url.protocol === 'http:') execute.push(oidc.allowInsecureRequests);
    return oidc.discovery(url, clientId, clientSecret, clientAuthentication(clientSecret), {
      timeout: TIMEOUT_SECONDS,
      execute,
    });
  }
}

/** Shows the secret in the way that the provider takes: in the body, or else in the header. */
function clientAuthentication(clientSecret: string): oidc.ClientAuth {
  const [post, basic] = [oidc.ClientSecretPost(clientSecret), oidc.ClientSecretBasic(clientSecret)];
  return (server, client, body, headers) => {
    // What the protocol says of a provider that names no way.
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const authenticate = methods.includes('client_secret_post') ? post : basic;
    authenticate(server, client, body, headers);
  };
}

function toVerifiedIdentity(
  { iss, sub }: oidc.IDToken,
  person: oidc.IDToken | oidc.UserInfoResponse,
): VerifiedIdentity {
  return {
    issuer: iss,
    subject: sub,
    email: typeof person.email === 'string' && person.email.length <= 320 ? normaliseEmail(person.email) : null,
    emailVerified: person.email_verified === true,
    givenName: toText(person.given_name),
    familyName: toText(person.family_name),
    preferredUsername: toText(person.preferred_username),
  };
}

const toText = (value: unknown) => (typeof value === 'string' && value.length <= 200 ? value : null);

function getErrorCode(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : String(name);
}

/** A code that the token endpoint does not take is a refusal; every other trouble there is the provider's or ours. */
function isRejection(error: unknown): boolean {
  if (error instanceof oidc.ResponseBodyError) return error.error === 'invalid_grant';
  if (error instanceof oidc.AuthorizationResponseError) {
    return !['temporarily_unavailable', 'server_error'].includes(error.error);
  }
  return REJECTION_CODES.has(getErrorCode(error));
}
