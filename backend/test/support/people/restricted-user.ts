import { uniqueName, type TestZone } from './actors.js';
import type { Client, World } from '../world.js';

/** Returns the parameters of the link in the newest email to an address. */
export async function waitForVerificationLink(world: World, email: string): Promise<{ token: string; join: string }> {
  const { text } = await world.waitForEmail(email, (mail) => mail.text.includes('/verify-email?'));
  const url = new URL(/https?:\/\/\S+\/verify-email\?\S+/.exec(text)![0]);
  return { token: url.searchParams.get('token')!, join: url.searchParams.get('join')! };
}

/** The browser of a new user who joined a public zone without completing the profile: a restricted session. */
export async function joinAsRestrictedUser(
  world: World,
  zone: TestZone,
  email = `${uniqueName('new')}@example.com`,
): Promise<Client> {
  const client = world.createClient();
  await client.post(`/api/public-zones/${zone.publicLink}/join`).send({ email, emailConsent: true }).expect(200);
  await client
    .post('/api/verify-email')
    .send(await waitForVerificationLink(world, email))
    .expect(200);
  return client;
}
