import { EventEmitter } from 'node:events';
import type { Pool } from 'pg';
import { enablePreparedQueries, withPreparedHint } from './prepared-queries.js';

/** A pool connection that records its queries. */
function connect() {
  const sentQueries: unknown[][] = [];
  const client = { query: (...args: unknown[]) => sentQueries.push(args) };
  const pool = new EventEmitter();
  enablePreparedQueries(pool as unknown as Pool);
  pool.emit('connect', client);
  return { pool, client, sentQueries };
}

describe('Prepared queries', () => {
  it('gives each prepared SQL text one name, and other queries none', () => {
    const { client, sentQueries } = connect();
    const text = withPreparedHint('select $1::int');
    client.query(text, [1]);
    client.query(text, [2]);
    client.query('select $1::int', [3]);
    client.query('begin');
    const name = expect.stringMatching(/^[0-9a-f]{32}$/) as string;
    expect(sentQueries.map((args) => args.filter((arg) => arg !== undefined))).toEqual([
      [{ name, text, values: [1] }],
      [{ name, text, values: [2] }],
      ['select $1::int', [3]],
      ['begin'],
    ]);
    expect((sentQueries[0]![0] as { name: string }).name).toBe((sentQueries[1]![0] as { name: string }).name);
  });

  it('limits the number of prepared queries', () => {
    const { client, sentQueries } = connect();
    for (let n = 0; n < 300; n++) client.query(withPreparedHint(`select ${n}`), []);
    const named = sentQueries.filter(([first]) => typeof first === 'object');
    expect(named).toHaveLength(200);
  });
});
