import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { migrations } from '../../../migrations/list.js';
import { checkDatabase } from '../../../src/cli/doctor/check-database.js';
import { checkSchemaVersion } from '../../../src/platform/database/schema/check-schema-version.js';
import { migrate } from '../../../src/platform/database/schema/migrate.js';
import { describeSchema } from '../../support/describe-schema.js';
import { createEmptyDatabase } from '../../support/test-database.js';
import { describeInProcess } from '../../support/world.js';

const names = migrations.map(({ name }) => name);
/** The migrations that create the schema of version 0.2.0. */
const baseline = migrations.slice(0, names.indexOf('0016-standard-job-names'));
/** Some of the names that version 0.2.0 recorded for the same schema, the last one included. */
const REPLACED = ['001-platform', '002-accounts', '277-dismissed-zones', '278-checks-of-kept-mails'];

describeInProcess('Upgrade of a database of version 0.2.0', () => {
  let database: Awaited<ReturnType<typeof createEmptyDatabase>>;
  let client: pg.Client;
  beforeAll(async () => {
    database = await createEmptyDatabase();
    await migrate(database.connection, { migrationList: baseline });
    client = new pg.Client(database.connection as pg.ClientConfig);
    await client.connect();
    await client.query(`insert into users (email, created_at, updated_at) values ('ada@example.org', now(), now())`);
  });
  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  async function recordMigrations(applied: readonly string[]): Promise<void> {
    await client.query('delete from mikro_orm_migrations');
    await client.query(
      `insert into mikro_orm_migrations (name, executed_at) select name, '2026-03-10T12:00:00Z' from unnest($1::text[]) as name`,
      [applied],
    );
  }
  const listMigrations = async () =>
    (await client.query<{ name: string }>('select name from mikro_orm_migrations order by id')).rows.map(
      ({ name }) => name,
    );

  it('finds the schema that the migrations of that version created', async () => {
    const expected = readFileSync(join(import.meta.dirname, 'schema-0.2.0.txt'), 'utf8')
      .trim()
      .split('\n');
    expect(await describeSchema(client)).toEqual(expected);
  });

  it('is refused for a schema before that version, which stays as it is', async () => {
    const older = REPLACED.slice(0, -1);
    await recordMigrations(older);
    await expect(migrate(database.connection)).rejects.toThrow(
      "by a version of Zonary before 0.2.0, from which this version can't upgrade. Start version 0.2.0 once",
    );
    expect(await listMigrations()).toEqual(older);
    expect(await checkDatabase(client)).toContainEqual(
      expect.objectContaining({ sentence: expect.stringContaining('older than that of version 0.2.0') }),
    );
  });

  it('applies what came after it and keeps all rows', async () => {
    await recordMigrations(REPLACED);
    await client.query(`insert into clock_runs (name, slot) values ('campaigns.sweep', now())`);
    const later = names.slice(baseline.length);
    expect(await checkSchemaVersion(database.connection)).toEqual(later);
    expect(await migrate(database.connection)).toEqual(later);
    expect(await listMigrations()).toEqual(names);
    const { rows } = await client.query('select email, (select name from clock_runs) as run from users');
    expect(rows).toEqual([{ email: 'ada@example.org', run: 'campaigns.sweep-campaigns' }]);
  });

  it('applies nothing twice that was added with an old number since', async () => {
    await recordMigrations([...REPLACED, '279-standard-job-names', ...names.slice(baseline.length + 1)]);
    expect(await migrate(database.connection)).toEqual([]);
    expect(await listMigrations()).toEqual(names);
    const { rows } = await client.query('select distinct executed_at from mikro_orm_migrations');
    expect(rows).toContainEqual({ executed_at: new Date('2026-03-10T12:00:00Z') });
  });
});
