/**
 * What a neighbour (the database, the network, a name server) is to blame for, by its code. Our own faults have no such
 * codes; what the person who asked did wrong has neither.
 */
const ERROR_CODES = new RegExp(
  `^(${[
    '08\\w{3}', // the connection to PostgreSQL
    '57P0\\d', // it stops, starts, or ended this session
    '57014', // a statement took too long
    '55P03', // a lock was not given in time
    '53\\w{3}', // no disk, no memory, no connections
    '25006', // read only: a failover, or a replica
    '25P0[34]', // a transaction took too long
    '58\\w{3}', // a fault of its disk
    'XX00[012]', // damaged, or a fault within
    'NO_PLACE', // all connections of this process are in use
    'ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN',
    'ENOTFOUND|EAI_AGAIN|EAI_FAIL|EAI_NODATA', // names that do not resolve
  ].join('|')})$`,
);

/** What the driver says without a code. */
const DRIVER_MESSAGES =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client (was closed|has encountered a connection error) and is not queryable)/;

interface ErrorLike {
  readonly code?: unknown;
  readonly syscall?: unknown;
  readonly message?: unknown;
  readonly cause?: unknown;
  readonly previous?: unknown;
  readonly errors?: unknown;
}

/** True when an error, or what lies behind it, is a neighbour's: trying again later helps, a change of the request does not. */
export function isExternalServiceError(error: unknown, maxDepth = 5): boolean {
  if (typeof error !== 'object' || error === null || maxDepth === 0) return false;
  const { code, syscall, message, cause, previous, errors } = error as ErrorLike;
  if (typeof code === 'string') {
    if (ERROR_CODES.test(code)) return true;
    // The socket of a database that is not running.
    if (code === 'ENOENT' && syscall === 'connect') return true;
  }
  if (typeof message === 'string' && DRIVER_MESSAGES.test(message)) return true;
  const nested = [cause, previous, ...(Array.isArray(errors) ? (errors as unknown[]) : [])];
  return nested.some((one) => isExternalServiceError(one, maxDepth - 1));
}
