import { randomBytes } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { root } from '../lib/product.mjs';

const RUNS = 2;
const createSecret = () => randomBytes(32).toString('hex');

/** Hashes all tables, to detect any change. */
async function hashDatabase(db) {
  const { rows } = await db.query(`select tablename as name from pg_tables where schemaname = 'public' order by 1`);
  const digests = [];
  for (const { name } of rows) {
    const sql = `select count(*) || ' ' || coalesce(md5(string_agg(t::text, ',' order by t::text)), '') as digest from "${name}" t`;
    digests.push(`${name} ${(await db.query(sql)).rows[0].digest}`);
  }
  const { rows: databases } = await db.query('select datname from pg_database order by 1');
  return [...digests, ...databases.map(({ datname }) => datname)].join('\n');
}

/**
 * The product is started with another secret, as an older version, and with a misspelt database name; nothing may be
 * written.
 */
export default {
  name: 'a wrong secret, program or database name',
  previousBehaviour: 'it started and wrote; a mistyped database was created',
  async run(environment) {
    const databaseDir = `${root}dist/compiled/src/platform/database/`;
    const { EmbeddedPostgres } = await import(`${databaseDir}embedded/embedded-postgres.js`);
    const { connectionToUrl } = await import(`${databaseDir}pool/database-connection.js`);
    const folder = environment.createFolder();
    // As root, PostgreSQL runs under another account, which needs to traverse the folder.
    chmodSync(folder, 0o711);
    const postgres = new EmbeddedPostgres({ dataDir: join(folder, 'postgres'), database: 'zonary' });
    const connection = await postgres.start();
    environment.onClose(() => postgres.stop());
    const env = { ROLE: 'web', DATABASE_URL: connectionToUrl(connection), APP_SECRET: createSecret() };
    await (await environment.startProduct({ ...env, DATA_DIR: join(folder, 'data') })).stop();
    const db = new pg.Client(connection);
    await db.connect();
    environment.onClose(() => db.end());

    const mistyped = connectionToUrl({ ...connection, database: 'zonray' });
    const unknownMigration = 'from_a_newer_program';
    const cases = [
      [/APP_SECRET is not that of this installation/, { APP_SECRET: createSecret() }],
      [
        /brought up to date by a newer version/,
        {},
        `insert into mikro_orm_migrations (name) values ('${unknownMigration}')`,
      ],
      [/"zonray" in DATABASE_URL does not exist/, { DATABASE_URL: mistyped }],
    ];
    const result = { runs: RUNS * cases.length, lost: 0, duplicated: 0, stuck: 0, seconds: 0 };
    for (let round = 0; round < RUNS; round++) {
      for (const [message, overrides, prepare] of cases) {
        if (prepare) await db.query(prepare);
        const before = await hashDatabase(db);
        const failedStart = await environment.expectFailedStart({
          ...env,
          DATA_DIR: environment.createFolder(),
          ...overrides,
        });
        if (failedStart === null || !message.test(failedStart.output)) result.stuck++;
        result.seconds = Math.max(result.seconds, failedStart?.seconds ?? 0);
        if ((await hashDatabase(db)) !== before) result.lost++;
        await db.query('delete from mikro_orm_migrations where name = $1', [unknownMigration]);
      }
    }
    return result;
  },
};
