import { generateKeyPairSync } from 'node:crypto';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import { reservePort } from './reserve-port.js';
import { createHttpServer } from './create-http-server.js';

/** The provider's claims about a user. */
export interface Claims {
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly given_name?: string;
  readonly family_name?: string;
  readonly preferred_username?: string;
}

const OIDC_CLIENT = { id: 'zonary', secret: 'a secret that only the two know' };

/** The service's path that the provider redirects to. */
export const CALLBACK_PATH = '/api/single-sign-on/callback';

/** A real OpenID Connect provider on loopback, with login and consent pages. */
export class IdentityProvider {
  private constructor(
    readonly issuer: string,
    private readonly server: Server,
    private readonly restoreConsole: () => void,
    /** By login name, which is also the subject. */
    readonly claimsByLogin: Map<string, Claims>,
  ) {}

  /**
   * @param appUrl URL of the service that uses it
   * @param port a previous port, to restart on
   * @param claimsByLogin the known users; none by default
   */
  static async listen(
    appUrl: string,
    port?: number,
    claimsByLogin = new Map<string, Claims>(),
  ): Promise<IdentityProvider> {
    const server = createHttpServer();
    const issuer = await startListening(server, port ?? (await reservePort()));
    const provider = new IdentityProvider(issuer, server, muteProviderNotices(), claimsByLogin);
    server.on('request', provider.createRequestListener(appUrl));
    return provider;
  }

  /** Environment variables that configure the service to use it. */
  get env(): Record<string, string> {
    return toProviderEnv(this.issuer);
  }

  /**
   * Logs in at the URL the service has redirected the browser to.
   * @returns the provider's redirect back
   */
  async logIn(address: string, login: string): Promise<URL> {
    const cookies = new Map<string, string>();
    let currentUrl = new URL(address);
    for (let steps = 0; steps < 12; steps++) {
      const form = currentUrl.pathname.startsWith('/interaction/')
        ? await this.buildForm(currentUrl, login, cookies)
        : undefined;
      const response = await fetchWithCookies(currentUrl, cookies, form);
      const location = response.headers.get('location');
      if (!location)
        throw new Error(`The provider answered ${response.status}: ${(await response.text()).slice(0, 500)}`);
      currentUrl = new URL(location, currentUrl);
      if (currentUrl.origin !== this.issuer) return currentUrl;
    }
    throw new Error("The provider's redirects didn't end.");
  }

  async close(): Promise<void> {
    this.restoreConsole();
    await stopListening(this.server);
  }

  private async buildForm(at: URL, login: string, cookies: Map<string, string>): Promise<URLSearchParams> {
    const page = await (await fetchWithCookies(at, cookies)).text();
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? 'login';
    return new URLSearchParams({ prompt, ...(prompt === 'login' && { login, password: 'any' }) });
  }

  private createRequestListener(appUrl: string): RequestListener {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const signingKey = { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'tests' };
    const provider = new Provider(this.issuer, {
      clients: [
        {
          client_id: OIDC_CLIENT.id,
          client_secret: OIDC_CLIENT.secret,
          redirect_uris: [`${appUrl}${CALLBACK_PATH}`],
          response_types: ['code'],
          grant_types: ['authorization_code'],
        },
      ],
      jwks: { keys: [signingKey] },
      cookies: { keys: ['a key for tests'] },
      pkce: { required: () => true },
      claims: {
        email: ['email', 'email_verified'],
        profile: ['given_name', 'family_name', 'preferred_username'],
      },
      findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ sub, ...this.claimsByLogin.get(sub) }) }),
    });
    const handleRequest = provider.callback();
    return (request, response) => void handleRequest(request, response);
  }
}

/** The service's environment variables for a provider at this URL. */
export function toProviderEnv(issuer: string): Record<string, string> {
  return {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: OIDC_CLIENT.id,
    OIDC_CLIENT_SECRET: OIDC_CLIENT.secret,
    OIDC_NAME: 'Example ID',
  };
}

/** Starts a server on loopback that responds as a provider would, with the test's responses. */
export async function startFakeProvider(
  respond: (path: string, issuer: string) => { status?: number; body: string; type?: string },
): Promise<{ issuer: string; close(): Promise<void> }> {
  const server = createHttpServer();
  const issuer = await startListening(server);
  server.on('request', (request, response) => {
    const { status = 200, body, type = 'application/json' } = respond(request.url!, issuer);
    response.writeHead(status, { 'Content-Type': type }).end(body);
  });
  return { issuer, close: () => stopListening(server) };
}

async function fetchWithCookies(at: URL, cookies: Map<string, string>, form?: URLSearchParams): Promise<Response> {
  const response = await fetch(at, {
    method: form ? 'POST' : 'GET',
    redirect: 'manual',
    headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
    ...(form && { body: form }),
  });
  for (const line of response.headers.getSetCookie()) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
    cookies.set(name!, value!);
  }
  return response;
}

async function startListening(server: Server, port = 0): Promise<string> {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function stopListening(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}

/** Silences the library's warnings about development settings. */
function muteProviderNotices(): () => void {
  const { info, warn } = console;
  const withoutNotices =
    (write: typeof console.info) =>
    (...args: unknown[]) => {
      if (!String(args[0]).includes('oidc-provider')) write(...args);
    };
  Object.assign(console, { info: withoutNotices(info), warn: withoutNotices(warn) });
  return () => void Object.assign(console, { info, warn });
}
