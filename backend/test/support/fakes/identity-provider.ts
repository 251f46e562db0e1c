import { generateKeyPairSync } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';
import { ownPort } from './own-port.js';

/** What the provider knows of somebody. */
export interface Claims {
  readonly email?: string;
  readonly email_verified?: boolean;
  readonly given_name?: string;
  readonly family_name?: string;
  readonly preferred_username?: string;
}

const CLIENT = { id: 'zonary', secret: 'a secret that only the two know' };

/** Where the provider leads back to, under the address of the service. */
export const CALLBACK = '/api/single-sign-on/callback';

/** A real OpenID Connect provider on loopback, with log-in and consent pages. */
export class IdentityProvider {
  private constructor(
    readonly issuer: string,
    private readonly server: Server,
    private readonly unmute: () => void,
    /** By the name with which people log in there, which is their subject. */
    readonly people: Map<string, Claims>,
  ) {}

  /**
   * @param appUrl address of the service that asks it
   * @param port where it was before
   * @param people whom it knows; by default nobody yet
   */
  static async listen(appUrl: string, port?: number, people = new Map<string, Claims>()): Promise<IdentityProvider> {
    const server = createServer();
    const issuer = await listening(server, port ?? (await ownPort()));
    const provider = new IdentityProvider(issuer, server, muteNotices(), people);
    server.on('request', provider.build(appUrl));
    return provider;
  }

  /** The variables by which the service finds it. */
  get env(): Record<string, string> {
    return variablesFor(this.issuer);
  }

  /** Logs in at an address to which the service has sent the browser. @returns where the provider leads back to */
  async logIn(address: string, login: string): Promise<URL> {
    const cookies = new Map<string, string>();
    let at = new URL(address);
    for (let steps = 0; steps < 12; steps++) {
      const form = at.pathname.startsWith('/interaction/') ? await this.formAt(at, login, cookies) : undefined;
      const answer = await visit(at, cookies, form);
      const location = answer.headers.get('location');
      if (!location) throw new Error(`The provider answered ${answer.status}: ${(await answer.text()).slice(0, 500)}`);
      at = new URL(location, at);
      if (at.origin !== this.issuer) return at;
    }
    throw new Error('The provider did not come to an end.');
  }

  async close(): Promise<void> {
    this.unmute();
    await closing(this.server);
  }

  private async formAt(at: URL, login: string, cookies: Map<string, string>): Promise<URLSearchParams> {
    const page = await (await visit(at, cookies)).text();
    const prompt = /name="prompt" value="(\w+)"/.exec(page)?.[1] ?? 'login';
    return new URLSearchParams({ prompt, ...(prompt === 'login' && { login, password: 'any' }) });
  }

  private build(appUrl: string): RequestListener {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const signing = { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'tests' };
    const provider = new Provider(this.issuer, {
      clients: [
        {
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          redirect_uris: [`${appUrl}${CALLBACK}`],
          response_types: ['code'],
          grant_types: ['authorization_code'],
        },
      ],
      jwks: { keys: [signing] },
      cookies: { keys: ['a key for tests'] },
      pkce: { required: () => true },
      claims: {
        email: ['email', 'email_verified'],
        profile: ['given_name', 'family_name', 'preferred_username'],
      },
      findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ sub, ...this.people.get(sub) }) }),
    });
    return provider.callback();
  }
}

/** The variables of the service for a provider at an address. */
export function variablesFor(issuer: string): Record<string, string> {
  return {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: CLIENT.id,
    OIDC_CLIENT_SECRET: CLIENT.secret,
    OIDC_NAME: 'Example ID',
  };
}

/** A server on loopback that answers what a test says, in the place of a provider. */
export async function pretendProvider(
  answer: (path: string, issuer: string) => { status?: number; body: string; type?: string },
): Promise<{ issuer: string; close(): Promise<void> }> {
  const server = createServer();
  const issuer = await listening(server);
  server.on('request', (request, response) => {
    const { status = 200, body, type = 'application/json' } = answer(request.url!, issuer);
    response.writeHead(status, { 'Content-Type': type }).end(body);
  });
  return { issuer, close: () => closing(server) };
}

async function visit(at: URL, cookies: Map<string, string>, form?: URLSearchParams): Promise<Response> {
  const answer = await fetch(at, {
    method: form ? 'POST' : 'GET',
    redirect: 'manual',
    headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
    ...(form && { body: form }),
  });
  for (const line of answer.headers.getSetCookie()) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(line)!;
    cookies.set(name!, value!);
  }
  return answer;
}

async function listening(server: Server, port = 0): Promise<string> {
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function closing(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}

/** The library tells of every part of it that a real installation would set up differently. */
function muteNotices(): () => void {
  const { info, warn } = console;
  const unless =
    (write: typeof console.info) =>
    (...words: unknown[]) => {
      if (!String(words[0]).includes('oidc-provider')) write(...words);
    };
  Object.assign(console, { info: unless(info), warn: unless(warn) });
  return () => void Object.assign(console, { info, warn });
}
