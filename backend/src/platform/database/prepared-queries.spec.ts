import { EventEmitter } from 'node:events';
import type { Pool } from 'pg';
import { enablePreparedQueries, withPreparedHint } from './prepared-queries.js';

/** A pool connection that records its queries. */
function connect() {
  const asked: unknown[][] = [];
  const client = { query: (...args: unknown[]) => asked.push(args) };
  const pool = new EventEmitter();
  enablePreparedQueries(pool as unknown as Pool);
  pool.emit('connect', client);
  return { pool, client, asked };
}

describe('Prepared queries', () => {
  it('have one name per SQL text, and other queries have none', () => {
    const { client, asked } = connect();
    const text = withPreparedHint('select $1::int');
    client.query(text, [1]);
    client.query(text, [2]);
    client.query('select $1::int', [3]);
    client.query('begin');
    const name = expect.stringMatching(/^[0-9a-f]{32}$/) as string;
    expect(asked.map((args) => args.filter((one) => one !== undefined))).toEqual([
      [{ name, text, values: [1] }],
      [{ name, text, values: [2] }],
      ['select $1::int', [3]],
      ['begin'],
    ]);
    expect((asked[0]![0] as { name: string }).name).toBe((asked[1]![0] as { name: string }).name);
  });

  it('are limited in number', () => {
    const { client, asked } = connect();
    for (let n = 0; n < 300; n++) client.query(withPreparedHint(`select ${n}`), []);
    const named = asked.filter(([first]) => typeof first === 'object');
    expect(named).toHaveLength(200);
  });
});
