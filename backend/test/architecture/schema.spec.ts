import { MikroORM } from '@mikro-orm/postgresql';
import { migrations } from '../../migrations/list.js';
import { createTestApp, type TestApp } from '../support/test-app.js';

describe('Database schema', () => {
  let inside: TestApp;
  beforeAll(async () => {
    inside = await createTestApp();
  });
  afterAll(() => inside.close());

  it('created by the migrations matches the entities', async () => {
    const difference = await inside.app.get(MikroORM).schema.getUpdateSchemaSQL({ wrap: false });
    expect(difference.trim()).toBe('');
  });

  it('has an index for every foreign key', async () => {
    const bare = await inside.em().execute(`
      select c.conrelid::regclass::text as "table", a.attname as "column"
      from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      where c.contype = 'f' and not exists (
        select 1 from pg_index i where i.indrelid = c.conrelid and i.indkey[0] = c.conkey[1] and i.indpred is null)`);
    expect(bare).toEqual([]);
  });

  it('is created by migrations in name order, each run once', async () => {
    const names = migrations.map(({ name }) => name);
    expect(names).toEqual([...names].sort());
    const run = await inside.em().execute<{ name: string }[]>('select name from mikro_orm_migrations order by id');
    expect(run.map(({ name }) => name)).toEqual(names);
  });
});
