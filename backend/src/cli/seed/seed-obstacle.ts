import type pg from 'pg';
import { demoEmail } from './demo.js';

/**
 * Returns why demo data can't be added to a database; null if it can. Nothing is changed.
 * @param appUrl the address of the site
 */
export async function findSeedObstacle(client: pg.Client, appUrl: string): Promise<string | null> {
  if (!/^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(appUrl).hostname))
    return `Demo data is for trying Zonary on this machine, but its address is ${appUrl}. Unset APP_URL, or use another DATA_DIR.`;
  const { rows } = await client.query<{ exists: boolean }>(
    `select to_regclass('public.users') is not null as "exists"`,
  );
  if (!rows[0]!.exists) return null;
  // The first super admin may have set up the site already.
  const people = await client.query<{ isSeeded: boolean; isUsed: boolean }>(
    `select coalesce(bool_or(email = $1), false) as "isSeeded", coalesce(bool_or(not is_super_admin), false) as "isUsed"
     from users`,
    [demoEmail('creator')],
  );
  if (people.rows[0]!.isSeeded) return 'The demo data already exists.';
  if (people.rows[0]!.isUsed)
    return 'This installation is in use: it has accounts. Use another DATA_DIR for demo data.';
  return null;
}
