import { FakeStripe } from '../../../backend/test/support/fakes/fake-stripe.ts';
import { IdentityProvider } from '../../../backend/test/support/fakes/identity-provider.ts';
import { AnyEmailClaims } from './identity-provider.ts';
import { startServer } from './server.ts';
import { createPremiumZone, registerSuperAdmin } from './super-admin.ts';

/**
 * Starts the product with a fake Stripe and a local identity provider, unless `E2E_BASE_URL` (and `E2E_DATA_DIR`) point
 * to a running one. Returns the teardown.
 */
export default async function globalSetup() {
  if (process.env.E2E_BASE_URL) return undefined;
  const stripe = await FakeStripe.start();
  const services: { close(): Promise<void> }[] = [stripe];
  const closeAll = async () => void (await Promise.all(services.map((service) => service.close())));
  const server = await startServer(async (url) => {
    const provider = await IdentityProvider.listen(url, 0, new AnyEmailClaims());
    services.push(provider);
    return { ...stripe.env, ...provider.env };
  }).catch(async (error: unknown) => {
    await closeAll();
    throw error;
  });
  const stop = async () => {
    await server.stop();
    await closeAll();
  };
  process.env.E2E_BASE_URL = server.url;
  process.env.E2E_DATA_DIR = server.dataDir;
  stripe.deliverEventsTo(server.url);
  try {
    await registerSuperAdmin(server.url);
    await createPremiumZone(server.url);
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}
