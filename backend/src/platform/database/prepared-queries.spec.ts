import { EventEmitter } from 'node:events';
import type { PoolClient } from 'pg';
import { PooledConnection } from './pool/pooled-connection.js';
import { StatementNames, withPreparedHint } from './prepared-queries.js';

/** A pool connection that records its queries. */
function connect() {
  const sentQueries: unknown[][] = [];
  const client = Object.assign(new EventEmitter(), { query: (...args: unknown[]) => sentQueries.push(args) });
  const names = new StatementNames();
  const connection = new PooledConnection(client as unknown as PoolClient, names, () => undefined);
  return { connection, sentQueries };
}

describe('Prepared queries', () => {
  it('gives each prepared SQL text one name, and other queries none', async () => {
    const { connection, sentQueries } = connect();
    const text = withPreparedHint('select $1::int');
    await connection.query(text, [1]);
    await connection.query(text, [2]);
    await connection.query('select $1::int', [3]);
    await connection.query('begin', []);
    const name = expect.stringMatching(/^[0-9a-f]{32}$/) as string;
    expect(sentQueries).toEqual([
      [{ name, text, values: [1] }],
      [{ name, text, values: [2] }],
      ['select $1::int', [3]],
      ['begin', []],
    ]);
    expect((sentQueries[0]![0] as { name: string }).name).toBe((sentQueries[1]![0] as { name: string }).name);
  });

  it('limits the number of prepared queries', async () => {
    const { connection, sentQueries } = connect();
    for (let n = 0; n < 300; n++) await connection.query(withPreparedHint(`select ${n}`), []);
    const named = sentQueries.filter(([first]) => typeof first === 'object');
    expect(named).toHaveLength(200);
  });
});
