import { CALLBACK_PATH, type Claims, type IdentityProvider } from '../../../support/fakes/identity-provider.js';
import { uniqueName } from '../../../support/people/actors.js';
import type { Client, World } from '../../../support/world.js';

/** A user whose email address the provider has verified. */
export function addProviderUser(provider: IdentityProvider, claims: Claims = {}) {
  const login = uniqueName('sub');
  const email = `${login}@example.com`;
  provider.claimsByLogin.set(login, {
    email,
    email_verified: true,
    given_name: 'Grace',
    family_name: 'Hopper',
    ...claims,
  });
  return { login, email: claims.email ?? email };
}

/**
 * Starts a sign-in in a browser.
 * @returns the provider's URL
 */
export async function beginSignIn(client: Client, next?: string): Promise<string> {
  const { body } = await client.post('/api/single-sign-on').send({ next }).expect(200);
  return body.url as string;
}

/** Starts a sign-in, logs in at the provider and returns the path of the callback, which isn't called yet. */
export async function completeProviderLogin(client: Client, provider: IdentityProvider, login: string, next?: string) {
  const { pathname, search } = await provider.logIn(await beginSignIn(client, next), login);
  if (pathname !== CALLBACK_PATH) throw new Error(`Led to ${pathname}`);
  return pathname + search;
}

/**
 * Calls the callback.
 * @returns the redirect target, without the origin
 */
export async function followCallback(world: World, client: Client, path: string): Promise<string> {
  const { headers } = await client.get(path).expect(302);
  const { appUrl } = world.testApp.config;
  if (!headers.location!.startsWith(appUrl)) throw new Error(`Led to ${headers.location}`);
  return headers.location!.slice(appUrl.length);
}

/**
 * Signs in through the provider.
 * @returns the redirect target
 */
export async function signInWithProvider(world: World, client: Client, provider: IdentityProvider, login: string) {
  return followCallback(world, client, await completeProviderLogin(client, provider, login));
}

/** Returns the signed-in user of a browser, or null. */
export async function getSessionUser(client: Client) {
  return (await client.get('/api/session').expect(200)).body.user;
}
