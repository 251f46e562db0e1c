import { FakeStripe } from '../../../backend/test/support/fake-stripe.ts';
import { startProduct } from './server.ts';
import { openPremiumZone, registerSuperAdmin } from './super-admin.ts';

/**
 * Starts the product for the journeys, with a Stripe of this machine beside it, unless `E2E_BASE_URL` (and
 * `E2E_DATA_DIR`) name one that runs; gives the way to stop it.
 */
export default async function globalSetup() {
  if (process.env.E2E_BASE_URL) return undefined;
  const stripe = await FakeStripe.start();
  const product = await startProduct(stripe.env).catch(async (error: unknown) => {
    await stripe.close();
    throw error;
  });
  const stop = async () => {
    await product.stop();
    await stripe.close();
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
