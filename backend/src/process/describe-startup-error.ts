import { ConfigError } from '../platform/config/read-variables.js';
import { StartupError } from '../platform/errors/startup-error.js';
import { toSourceStack } from '../platform/errors/source-stack.js';
import { EmbeddedPostgresError } from '../platform/database/embedded/embedded-postgres.error.js';

interface ErrorLike {
  readonly cause?: unknown;
  /** One error per address of the host. */
  readonly errors?: unknown;
  readonly code?: string;
  readonly syscall?: string;
  readonly port?: number;
  readonly path?: string;
}

/** Errors of the port to listen on. */
const portErrors: Record<string, (error: ErrorLike) => string> = {
  EADDRINUSE: ({ port }) =>
    `Port ${port} is in use by another program. Stop that program, or set PORT to a free one, as in PORT=3001 npm start.`,
  EACCES: ({ port }) => `This user isn't allowed to listen on port ${port}. Set PORT to 1024 or higher.`,
};

/** Errors of the database in DATABASE_URL, by PostgreSQL and network error codes. */
const databaseErrors: Record<string, string> = {
  ECONNREFUSED: 'no database server answers at the address in DATABASE_URL. Is it running?',
  ENOTFOUND: 'the host in DATABASE_URL is unknown.',
  ETIMEDOUT: 'the database server in DATABASE_URL does not answer in time.',
  EAI_AGAIN: "the host name in DATABASE_URL can't be resolved at the moment. Is the network up?",
  ECONNRESET: 'the connection to the database server in DATABASE_URL was interrupted.',
  EHOSTUNREACH: "the host in DATABASE_URL can't be reached.",
  ENETUNREACH: "the host in DATABASE_URL can't be reached.",
  '53300': 'the database server accepts no more connections. Close other connections, or raise its max_connections.',
  '57P01': "the database server was stopped. Start again once it's running.",
  '57P02': "the database server was stopped. Start again once it's running.",
  '57P03': 'the database server is starting or stopping. Start again once it accepts connections.',
  '28P01': 'the database server rejects the password in DATABASE_URL.',
  '28000': 'the database server rejects the user in DATABASE_URL.',
  '3D000': 'the database in DATABASE_URL does not exist on its server.',
  '42501': "the user in DATABASE_URL isn't allowed to change the database schema.",
};

const NOT_WRITABLE =
  "this user isn't allowed to write there. Start Zonary as the owner of the folder, or set DATA_DIR to another folder";

/** Errors of the data folder. */
const diskErrors: Record<string, string> = {
  ENOSPC: 'the disk is full',
  EACCES: NOT_WRITABLE,
  EPERM: NOT_WRITABLE,
  EROFS: 'the disk is read-only',
  ENOTDIR: "part of its path isn't a folder",
  ENOENT: "a folder in its path doesn't exist",
};

/**
 * Describes for the operator why the process could not start: one sentence if the reason is known, otherwise the error
 * with its stack.
 */
export function describeStartupError(error: unknown): string {
  const isSentence = [ConfigError, EmbeddedPostgresError, StartupError].some((kind) => error instanceof kind);
  if (isSentence) return (error as Error).message;
  for (const nested of errorChain(error)) {
    const code = nested.code ?? '';
    if (nested.syscall === 'listen' && portErrors[code]) return portErrors[code](nested);
    if (nested.path !== undefined && diskErrors[code]) return `Zonary cannot use ${nested.path}: ${diskErrors[code]}.`;
    if (databaseErrors[code]) return `Zonary couldn't start: ${databaseErrors[code]}`;
  }
  return `Zonary couldn't start.\n${toSourceStack(String((error as Error)?.stack ?? error))}`;
}

/** Returns an error and its nested causes, including those of several connection attempts. */
function errorChain(error: unknown, maxDepth = 5): ErrorLike[] {
  if (typeof error !== 'object' || error === null || maxDepth === 0) return [];
  const { cause, errors }: ErrorLike = error;
  const nested = [cause, ...(Array.isArray(errors) ? errors : [])];
  return [error, ...nested.flatMap((nestedError) => errorChain(nestedError, maxDepth - 1))];
}
