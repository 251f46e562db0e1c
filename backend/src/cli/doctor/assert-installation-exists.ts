import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Variables } from '../../platform/config/variables.js';
import { StartupError } from '../../platform/errors/startup-error.js';

/**
 * Checks that there is something to examine. Otherwise reading the configuration would create a secret, and the
 * database a cluster, as at a first start.
 * @throws StartupError
 */
export function assertInstallationExists({ dataDir, databaseUrl, appSecret }: Variables): void {
  const folder = resolve(dataDir ?? './data');
  const hasSecret = appSecret !== null || existsSync(join(folder, 'app-secret'));
  const hasDatabase =
    databaseUrl !== null || ['postgres', 'postgres.location'].some((name) => existsSync(join(folder, name)));
  if (hasSecret && hasDatabase) return;
  throw new StartupError(
    `There is no installation in ${folder}. Check DATA_DIR, or start Zonary there first. Nothing was changed.`,
  );
}
