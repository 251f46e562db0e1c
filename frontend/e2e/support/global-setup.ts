import { FakeStripe } from '../../../backend/test/support/fakes/fake-stripe.ts';
import { IdentityProvider } from '../../../backend/test/support/fakes/identity-provider.ts';
import { AnybodyByAddress } from './provider.ts';
import { startProduct } from './server.ts';
import { openPremiumZone, registerSuperAdmin } from './super-admin.ts';

/**
 * Starts the product for the journeys, with a Stripe and a provider of identities of this machine beside it, unless
 * `E2E_BASE_URL` (and `E2E_DATA_DIR`) name one that runs; gives the way to stop it.
 */
export default async function globalSetup() {
  if (process.env.E2E_BASE_URL) return undefined;
  const stripe = await FakeStripe.start();
  const beside: { close(): Promise<void> }[] = [stripe];
  const closeAll = async () => void (await Promise.all(beside.map((one) => one.close())));
  const product = await startProduct(async (url) => {
    const provider = await IdentityProvider.listen(url, 0, new AnybodyByAddress());
    beside.push(provider);
    return { ...stripe.env, ...provider.env };
  }).catch(async (error: unknown) => {
    await closeAll();
    throw error;
  });
  const stop = async () => {
    await product.stop();
    await closeAll();
  };
  process.env.E2E_BASE_URL = product.url;
  process.env.E2E_DATA_DIR = product.dataDir;
  stripe.deliverTo(product.url);
  try {
    await registerSuperAdmin(product.url);
    await openPremiumZone(product.url);
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}
