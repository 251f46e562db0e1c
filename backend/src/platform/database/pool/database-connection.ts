import { parseIntoClientConfig } from 'pg-connection-string';

/** How to reach a PostgreSQL database; `host` may be the folder of a unix socket. */
export interface DatabaseConnection {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password?: string;
  readonly database: string;
  readonly ssl?: unknown;
}

/**
 * Reads a `postgresql://` address; `?host=/folder` names a unix socket, `?sslmode=require` asks for TLS.
 * @throws Error when the address names no database
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

/** The address by which another process reaches the same database. */
export function connectionToUrl({ host, port, user, password, database }: DatabaseConnection): string {
  const credentials = encodeURIComponent(user) + (password ? `:${encodeURIComponent(password)}` : '');
  if (host.startsWith('/'))
    return `postgresql://${credentials}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`;
  return `postgresql://${credentials}@${host}:${port}/${database}`;
}
