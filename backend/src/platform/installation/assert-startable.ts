import type { AppConfig } from '../config/app-config.js';
import type { DatabaseConnection } from '../database/pool/database-connection.js';
import { withClient } from '../database/pool/with-client.js';
import { checkSchemaVersion } from '../database/schema/check-schema-version.js';
import { StartupError } from '../errors/startup-error.js';
import { DIFFERENT_SECRET_MESSAGE, secretFingerprints } from './secret-check.js';

interface StartChecks {
  /** Require the installation's secret. */
  readonly secret?: boolean;
  /** Require the schema of this version, not an older one. */
  readonly schema?: boolean;
}

/**
 * Aborts a command or process before it has done anything.
 * @throws StartupError when the database has a newer version or another secret
 */
export async function assertStartable(
  config: AppConfig,
  connection: DatabaseConnection,
  { secret = true, schema = false }: StartChecks = {},
): Promise<void> {
  const [missing] = await checkSchemaVersion(connection);
  if (schema && missing !== undefined) {
    throw new StartupError(`The database lacks ${missing}. First start this version once, or run npm run migrate.`);
  }
  if (secret && (await hasDifferentSecret(config, connection))) throw new StartupError(DIFFERENT_SECRET_MESSAGE);
}

/** False as long as no process has stored a secret. */
async function hasDifferentSecret(config: AppConfig, connection: DatabaseConnection): Promise<boolean> {
  return withClient(connection, async (client) => {
    const { rows: tables } = await client.query<{ there: boolean }>(
      `select to_regclass('public.installation') is not null as there`,
    );
    if (!tables[0]!.there) return false;
    const { rows } = await client.query<{ fingerprint: string | null }>(
      'select secret_fingerprint as fingerprint from installation',
    );
    const fingerprint = rows[0]?.fingerprint ?? null;
    return fingerprint !== null && !secretFingerprints(config).includes(fingerprint);
  });
}
