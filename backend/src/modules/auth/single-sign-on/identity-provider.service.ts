import { Injectable, Logger } from '@nestjs/common';
import * as oidc from 'openid-client';
import { Clock, HOUR } from '../../../platform/clock/clock.js';
import { AppConfig, type SingleSignOnConfig } from '../../../platform/config/app-config.js';
import { normaliseEmail } from '../../../platform/http/parsing/fields.js';
import { singleSignOnErrors } from '../auth.errors.js';

/** Timeout of one request to the provider, in seconds. */
const TIMEOUT_SECONDS = 5;
/** How long the provider's discovery document is cached. Its keys are refetched automatically if one is unknown. */
const DISCOVERY_CACHE_TTL = HOUR;

/** The values that bind a sign-in to a browser. */
export interface SsoSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

/** The claims of the provider about a user, with a verified signature. */
export interface VerifiedIdentity {
  readonly issuer: string;
  readonly subject: string;
  /** Normalised as stored addresses are; null if the provider reports none. */
  readonly email: string | null;
  /** True only if the provider explicitly says so. */
  readonly emailVerified: boolean;
  readonly givenName: string | null;
  readonly familyName: string | null;
  readonly preferredUsername: string | null;
}

/** Errors where the provider answered but rejects this user. */
const REJECTION_CODES = new Set([
  'OAUTH_AUTHORIZATION_RESPONSE_ERROR',
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
]);

/** The identity provider, by OpenID Connect: authorization code flow with PKCE, state and nonce. */
@Injectable()
export class IdentityProviderService {
  private readonly logger = new Logger(IdentityProviderService.name);
  private cachedConfiguration: { readonly configuration: Promise<oidc.Configuration>; readonly at: number } | null =
    null;

  constructor(
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {}

  /** The redirect URI registered at the provider. */
  get callbackUrl(): string {
    return `${this.config.appUrl}/api/single-sign-on/callback`;
  }

  /**
   * Returns the provider's URL to which the browser goes to sign in.
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
   * Exchanges the authorization code and reads the identity.
   * @param callbackQuery query of the callback, with the question mark
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
      // Providers with small ID tokens return the address only from the userinfo endpoint.
      const hasEmailClaim = typeof claims.email === 'string' || !configuration.serverMetadata().userinfo_endpoint;
      const person = hasEmailClaim ? claims : await oidc.fetchUserInfo(configuration, tokens.access_token, claims.sub);
      return toVerifiedIdentity(claims, person);
    });
  }

  /** Runs requests to the provider and translates their errors. */
  private async withConfiguration<T>(work: (configuration: oidc.Configuration) => Promise<T>): Promise<T> {
    const settings = this.config.singleSignOn;
    if (!settings) throw singleSignOnErrors.SSO_OFF();
    const configuration = await this.getConfiguration(settings).catch((error: unknown) =>
      this.throwProviderError(error, false),
    );
    return work(configuration).catch((error: unknown) => this.throwProviderError(error, isRejection(error)));
  }

  /** Logs only the error code, because messages and causes may contain tokens and addresses. */
  private throwProviderError(error: unknown, rejected: boolean): never {
    this.logger.warn(`The identity provider: ${getErrorCode(error)}`);
    throw rejected ? singleSignOnErrors.SSO_REFUSED() : singleSignOnErrors.SSO_UNAVAILABLE();
  }

  /** Fetches the discovery document on first use. Failures are not cached. */
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
    // Verifies the token's signature although it comes over our own TLS connection, as defence in depth.
    const execute = [oidc.enableNonRepudiationChecks];
    // The configuration allows HTTP for loopback only.
    if (url.protocol === 'http:') execute.push(oidc.allowInsecureRequests);
    return oidc.discovery(url, clientId, clientSecret, clientAuthentication(clientSecret), {
      timeout: TIMEOUT_SECONDS,
      execute,
    });
  }
}

/** Sends the client secret as the provider accepts it: in the body, or otherwise in the header. */
function clientAuthentication(clientSecret: string): oidc.ClientAuth {
  const [post, basic] = [oidc.ClientSecretPost(clientSecret), oidc.ClientSecretBasic(clientSecret)];
  return (server, client, body, headers) => {
    // The default of OpenID Connect for providers that list no methods.
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

/**
 * A code that the token endpoint rejects counts as rejected by the provider. Any other error there is the provider's or
 * ours.
 */
function isRejection(error: unknown): boolean {
  if (error instanceof oidc.ResponseBodyError) return error.error === 'invalid_grant';
  if (error instanceof oidc.AuthorizationResponseError) {
    return !['temporarily_unavailable', 'server_error'].includes(error.error);
  }
  return REJECTION_CODES.has(getErrorCode(error));
}
