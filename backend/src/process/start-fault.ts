import { ConfigError } from '../platform/config/read-variables.js';
import { StartRefusal } from '../platform/errors/start-refusal.js';
import { EmbeddedPostgresError } from '../platform/database/embedded/embedded-postgres.error.js';

interface Fault {
  readonly cause?: unknown;
  /** Of the tries of one connection, to each address of its host. */
  readonly errors?: unknown;
  readonly code?: string;
  readonly syscall?: string;
  readonly port?: number;
  readonly path?: string;
}

/** Faults of the port that is to be listened on. */
const listening: Record<string, (fault: Fault) => string> = {
  EADDRINUSE: ({ port }) =>
    `Port ${port} is in use by another program. Stop that program, or set PORT to a free one, as in PORT=3001 npm start.`,
  EACCES: ({ port }) => `This account may not listen on port ${port}. Set PORT to one from 1024 upwards.`,
};

/** Faults of the database that DATABASE_URL names, by the codes of PostgreSQL and of the network. */
const ofDatabase: Record<string, string> = {
  ECONNREFUSED: 'no database server answers at the address in DATABASE_URL. Is it running?',
  ENOTFOUND: 'the host in DATABASE_URL is not known.',
  ETIMEDOUT: 'the database server in DATABASE_URL does not answer in time.',
  EAI_AGAIN: 'the name of the host in DATABASE_URL cannot be looked up at the moment. Is the network up?',
  ECONNRESET: 'the connection to the database server in DATABASE_URL was broken off.',
  EHOSTUNREACH: 'no way leads to the host in DATABASE_URL.',
  ENETUNREACH: 'no way leads to the host in DATABASE_URL.',
  '53300': 'the database server lets no further connection in. End what holds them, or raise its max_connections.',
  '57P01': 'the database server was stopped meanwhile. Start again once it runs.',
  '57P02': 'the database server was stopped meanwhile. Start again once it runs.',
  '57P03': 'the database server is starting or stopping. Start again once it takes connections.',
  '28P01': 'the database server refuses the password in DATABASE_URL.',
  '28000': 'the database server refuses the user in DATABASE_URL.',
  '3D000': 'the database in DATABASE_URL does not exist on its server.',
  '42501': 'the user in DATABASE_URL may not change the schema of the database.',
};

const FOREIGN =
  'this account may not write there. Start Zonary as the user who owns it, or set DATA_DIR to another folder';

/** Faults of the data folder. */
const ofDisk: Record<string, string> = {
  ENOSPC: 'the disk is full',
  EACCES: FOREIGN,
  EPERM: FOREIGN,
  EROFS: 'the disk can only be read',
  ENOTDIR: 'a part of its path is no folder',
  ENOENT: 'a folder of its path is not there',
};

/**
 * Why the process could not start, for the person who started it: a sentence where we know the reason and what to do,
 * otherwise what was thrown, with its stack.
 */
export function startFault(error: unknown): string {
  const isSentence = [ConfigError, EmbeddedPostgresError, StartRefusal].some((kind) => error instanceof kind);
  if (isSentence) return (error as Error).message;
  for (const fault of withCauses(error)) {
    const code = fault.code ?? '';
    if (fault.syscall === 'listen' && listening[code]) return listening[code](fault);
    if (fault.path !== undefined && ofDisk[code]) return `Zonary cannot use ${fault.path}: ${ofDisk[code]}.`;
    if (ofDatabase[code]) return `Zonary could not start: ${ofDatabase[code]}`;
  }
  return `Zonary could not start.\n${String((error as Error)?.stack ?? error)}`;
}

/** A fault and what lies behind it, also behind several tries of one connection. */
function withCauses(error: unknown, left = 5): Fault[] {
  if (typeof error !== 'object' || error === null || left === 0) return [];
  const fault: Fault = error;
  const behind = [fault.cause, ...(Array.isArray(fault.errors) ? fault.errors : [])];
  return [fault, ...behind.flatMap((one) => withCauses(one, left - 1))];
}
