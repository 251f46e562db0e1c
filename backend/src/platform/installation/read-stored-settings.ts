import { toSettingValues, type SettingValues } from '../config/settings.js';
import type { DatabaseConnection } from '../database/pool/database-connection.js';
import { withClient } from '../database/pool/with-client.js';

/** Reads the stored settings without an application; empty when the schema is older than the settings table. */
export function readStoredSettings(connection: DatabaseConnection): Promise<SettingValues> {
  return withClient(connection, async (client) => {
    const { rows } = await client.query<{ there: boolean }>(
      `select to_regclass('public.installation_settings') is not null as there`,
    );
    if (!rows[0]!.there) return {};
    const set = await client.query<{ key: string; value: unknown }>('select key, value from installation_settings');
    return toSettingValues(set.rows);
  });
}
