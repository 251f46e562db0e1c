import type { AppConfig } from '../config/app-config.js';
import type { DatabaseConnection } from '../database/pool/connection.js';
import { withClient } from '../database/pool/with-client.js';
import { examineDatabase } from '../database/schema/examine-database.js';
import { StartRefusal } from '../errors/start-refusal.js';
import { OTHER_SECRET, secretFingerprints } from './secret-check.js';

interface Demands {
  /** The secret must be that of the installation. */
  readonly secret?: boolean;
  /** The schema must be that of this version, not an older one. */
  readonly whole?: boolean;
}

/**
 * Ends a command or a process before it has done anything.
 * @throws StartRefusal when the database is of a newer version, or belongs to another secret
 */
export async function refuseWrongStart(
  config: AppConfig,
  connection: DatabaseConnection,
  { secret = true, whole = false }: Demands = {},
): Promise<void> {
  const [lacking] = await examineDatabase(connection);
  if (whole && lacking !== undefined) {
    throw new StartRefusal(`The database lacks ${lacking}. First start this version once, or run npm run migrate.`);
  }
  if (secret && (await isOfOtherSecret(config, connection))) throw new StartRefusal(OTHER_SECRET);
}

/** False as long as no process has set a secret. */
async function isOfOtherSecret(config: AppConfig, connection: DatabaseConnection): Promise<boolean> {
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
