import pg from 'pg';
import type { DatabaseConnection } from './database-connection.js';

/** Runs `work` with its own connection, which is closed afterwards, also if the client can't sign in. */
export async function withClient<T>(
  connection: DatabaseConnection,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(connection as pg.ClientConfig);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
  }
}
