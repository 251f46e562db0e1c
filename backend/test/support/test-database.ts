import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { DatabaseConnection } from '../../src/platform/database/connection.js';

/** A copy of the migrated template that belongs to one suite. */
export interface TestDatabase {
  readonly connection: DatabaseConnection;
  drop(): Promise<void>;
}

/** Copies the template of the run (TEST_POSTGRES, set by the global setup). */
export async function createTestDatabase(): Promise<TestDatabase> {
  const given = process.env.TEST_POSTGRES;
  if (!given) throw new Error('TEST_POSTGRES is not set: run the suites through jest.config.js.');
  const template = JSON.parse(given) as DatabaseConnection;
  const name = `test_${randomBytes(6).toString('hex')}`;
  await asAdmin(template, `create database ${name} template ${template.database}`);
  return {
    connection: { ...template, database: name },
    drop: () => asAdmin(template, `drop database ${name} with (force)`),
  };
}

async function asAdmin({ database: _, ...server }: DatabaseConnection, sql: string): Promise<void> {
  const client = new pg.Client({ ...server, database: 'postgres' } as pg.ClientConfig);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
