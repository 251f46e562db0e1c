import { startProduct } from './server.ts';

/** Starts the product for the journeys, unless `E2E_BASE_URL` names one that runs; gives the way to stop it. */
export default async function globalSetup() {
  if (process.env.E2E_BASE_URL) return undefined;
  const product = await startProduct();
  process.env.E2E_BASE_URL = product.url;
  return product.stop;
}
