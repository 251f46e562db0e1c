import { randomBytes } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { root } from '../lib/product.mjs';

const TIMES = 2;
const secret = () => randomBytes(32).toString('hex');

/** Hashes of all tables, which reveal any change. */
async function contentsOf(db) {
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
  before: 'it started and wrote; a mistyped name was made',
  async run(room) {
    const built = `${root}dist/backend/src/platform/database/`;
    const { EmbeddedPostgres } = await import(`${built}embedded/embedded-postgres.js`);
    const { connectionToUrl } = await import(`${built}pool/database-connection.js`);
    const folder = room.folder();
    // As root, PostgreSQL runs under another account, which needs to traverse the folder.
    chmodSync(folder, 0o711);
    const postgres = new EmbeddedPostgres({ dataDir: join(folder, 'postgres'), database: 'zonary' });
    const connection = await postgres.start();
    room.onClose(() => postgres.stop());
    const env = { ROLE: 'web', DATABASE_URL: connectionToUrl(connection), APP_SECRET: secret() };
    await (await room.product({ ...env, DATA_DIR: join(folder, 'data') })).stop();
    const db = new pg.Client(connection);
    await db.connect();
    room.onClose(() => db.end());

    const mistyped = connectionToUrl({ ...connection, database: 'zonray' });
    const unknown = 'from_a_newer_program';
    const cases = [
      [/APP_SECRET is not that of this installation/, { APP_SECRET: secret() }],
      [/brought up to date by a newer version/, {}, `insert into mikro_orm_migrations (name) values ('${unknown}')`],
      [/"zonray" in DATABASE_URL does not exist/, { DATABASE_URL: mistyped }],
    ];
    const result = { times: TIMES * cases.length, lost: 0, doubled: 0, stuck: 0, seconds: 0 };
    for (let at = 0; at < TIMES; at++) {
      for (const [sentence, wrong, prepare] of cases) {
        if (prepare) await db.query(prepare);
        const before = await contentsOf(db);
        const refused = await room.refusedStart({ ...env, DATA_DIR: room.folder(), ...wrong });
        if (refused === null || !sentence.test(refused.output)) result.stuck++;
        result.seconds = Math.max(result.seconds, refused?.seconds ?? 0);
        if ((await contentsOf(db)) !== before) result.lost++;
        await db.query('delete from mikro_orm_migrations where name = $1', [unknown]);
      }
    }
    return result;
  },
};
