import { parseIntoClientConfig } from 'pg-connection-string';

/** How to connect to a PostgreSQL database; `host` may be the folder of a Unix socket. */
export interface DatabaseConnection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password?: string;
  readonly database: string;
  readonly ssl?: unknown;
}

/** Provides the `DatabaseConnection` of the application. */
export const DATABASE_CONNECTION = Symbol('DATABASE_CONNECTION');

/**
 * Parses a `postgresql://` URL; `?host=/folder` selects a Unix socket, `?sslmode=require` requires TLS.
 * @throws Error when the URL names no database
 */
export function connectionFromUrl(url: string): DatabaseConnection {
  const { host, port, user, password, database, ssl } = parseIntoClientConfig(url);
  if (!database) throw new Error('DATABASE_URL must name a database.');
  return {
    host: host ?? 'localhost',
    port: port ? Number(port) : 5432,
    user: user ?? 'postgres',
    ...(typeof password === 'string' && password ? { password } : {}),
    database,
    ...(ssl ? { ssl } : {}),
  };
}

/** Returns the URL with which another process can connect to the same database. */
export function connectionToUrl({ host, port, user, password, database }: DatabaseConnection): string {
  const credentials = encodeURIComponent(user) + (password ? `:${encodeURIComponent(password)}` : '');
  if (host.startsWith('/'))
    return `postgresql://${credentials}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
  return `postgresql://${credentials}@${host}:${port}/${database}`;
}
