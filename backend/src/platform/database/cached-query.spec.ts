import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { cachedQuery } from './cached-query.js';

const db = new Kysely<{ zones: { id: number; name: string } }>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (of) => new PostgresIntrospector(of),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

it('cachedQuery builds a query once and binds the values of each call', () => {
  let built = 0;
  const find = cachedQuery((params: { name: string; most: number }) => {
    built++;
    return db.selectFrom('zones').select('id').where('name', '=', params.name).where('id', '>', 7).limit(params.most);
  });
  const [first, second] = [find({ name: 'a', most: 1 }), find({ name: 'b', most: 2 })];
  expect(built).toBe(1);
  expect(first.sql).toBe('select "id" from "zones" where "name" = $1 and "id" > $2 limit $3');
  expect(second.sql).toBe(first.sql);
  expect([first.parameters, second.parameters]).toEqual([
    ['a', 7, 1],
    ['b', 7, 2],
  ]);
  expect(first.queryId).not.toBe(second.queryId);
});
