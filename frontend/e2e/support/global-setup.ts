import { startProduct } from './server.ts';
import { registerSuperAdmin } from './super-admin.ts';

/** Starts the product for the journeys, unless `E2E_BASE_URL` (and `E2E_DATA_DIR`) name one that runs; gives the way to stop it. */
export default async function globalSetup() {
  if (process.env.E2E_BASE_URL) return undefined;
  const product = await startProduct();
  process.env.E2E_BASE_URL = product.url;
  process.env.E2E_DATA_DIR = product.dataDir;
  try {
    await registerSuperAdmin(product.url);
  } catch (error) {
    await product.stop();
    throw error;
  }
  return product.stop;
}
