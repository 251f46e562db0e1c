import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, readFileSync, writeFileSync, mkdtempSync, rmdirSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type OsAccount, canAccessFolder } from './os-account.js';
import { removeSocketDir, SOCKET_PREFIX } from './postmaster-pid-file.js';
import { tmpdir } from 'node:os';
import { EmbeddedPostgresError } from './embedded-postgres.error.js';

/** How clients reach the server: through a private Unix socket, or, on Windows, a loopback port with a password. */
export type ServerTransportKind = 'socket' | 'tcp';

export interface ServerTransport {
  readonly host: string;
  readonly port: number;
  readonly password?: string;
  /** Settings that make the server listen there and nowhere else. */
  readonly settings: Record<string, string>;
  close(): void;
}

export const defaultTransport: ServerTransportKind = process.platform === 'win32' ? 'tcp' : 'socket';

/** Returns the password file of the TCP transport, creating it when missing; null for the socket. */
export function ensurePasswordFile(
  kind: ServerTransportKind,
  dataDir: string,
  account: OsAccount | null,
): string | null {
  if (kind === 'socket') return null;
  const file = join(dataDir, 'postgres.password');
  if (!existsSync(file)) writeFileSync(file, randomBytes(24).toString('hex'), { mode: 0o600 });
  if (account) chownSync(file, account.uid, account.gid);
  return file;
}

export async function openServerTransport(
  kind: ServerTransportKind,
  dataDir: string,
  account: OsAccount | null,
): Promise<ServerTransport> {
  const secret = ensurePasswordFile(kind, dataDir, account);
  if (!secret) return socketTransport(await createSocketDir(account));
  const port = await findFreePort();
  const host = '127.0.0.1';
  const settings = { listen_addresses: host, port: String(port), unix_socket_directories: '' };
  return { host, port, password: readFileSync(secret, 'utf8').trim(), settings, close: () => undefined };
}

function socketTransport(folder: string): ServerTransport {
  return {
    host: folder,
    port: 5432,
    settings: {
      listen_addresses: '',
      port: '5432',
      unix_socket_directories: `"${folder.replaceAll('"', '""')}"`,
      unix_socket_permissions: '0700',
    },
    close: () => removeSocketDir(folder),
  };
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/** The shortest limit of all supported systems (macOS), without the terminating NUL. */
const MAX_SOCKET_PATH_BYTES = 103;

/**
 * Creates the folder for the server's socket. Only the account (and root) can open it. This protects the database,
 * because the server asks for no password. It is in the temporary folder because a socket path must be short; `/tmp` is
 * the fallback.
 */
export async function createSocketDir(account: OsAccount | null): Promise<string> {
  for (const parent of [tmpdir(), '/tmp']) {
    const path = join(parent, `${SOCKET_PREFIX}XXXXXX`, '.s.PGSQL.5432');
    if (Buffer.byteLength(path) > MAX_SOCKET_PATH_BYTES) continue;
    const folder = mkdtempSync(join(parent, SOCKET_PREFIX));
    if (!account) return folder;
    chownSync(folder, account.uid, account.gid);
    if (await canAccessFolder(folder, account)) return folder;
    rmdirSync(folder);
  }
  throw new EmbeddedPostgresError(
    'START_FAILED',
    `Neither ${tmpdir()} nor /tmp can hold the database's socket. Set TMPDIR to a short path that all users may enter.`,
  );
}
