import { uniqueName, type TestZone } from './actors.js';
import type { Client, World } from '../world.js';

/** The parameters of the link that the newest mail to an address holds. */
export async function waitForVerificationLink(world: World, email: string): Promise<{ token: string; join: string }> {
  const { text } = await world.waitForEmail(email, (mail) => mail.text.includes('/verify-email?'));
  const url = new URL(/https?:\/\/\S+\/verify-email\?\S+/.exec(text)![0]);
  return { token: url.searchParams.get('token')!, join: url.searchParams.get('join')! };
}

/** The browser of somebody new who has joined a public zone and has not finished the profile: a restricted session. */
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
