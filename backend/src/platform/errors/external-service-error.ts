/**
 * Error codes for which an external service (the database, the network, DNS) is responsible. Neither our own bugs nor
 * invalid requests have these codes.
 */
const ERROR_CODES = new RegExp(
  `^(${[
    '08\\w{3}', // connection exceptions
    '57P0\\d', // the server stops, starts, or terminated the session
    '57014', // statement timeout
    '55P03', // lock timeout
    '53\\w{3}', // out of disk space, memory or connections
    '25006', // read only: after a failover, or on a replica
    '25P0[34]', // transaction timeout
    '58\\w{3}', // system error, such as an I/O error
    'XX00[012]', // corrupted data, or an internal error
    'POOL_TIMEOUT', // `PoolTimeoutError`: all connections of this process are in use
    'ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|EHOSTDOWN|ENETUNREACH|ENETDOWN',
    'ENOTFOUND|EAI_AGAIN|EAI_FAIL|EAI_NODATA', // DNS failures
  ].join('|')})$`,
);

/** Errors that the driver throws without a code. */
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

/** True if the error or one of its causes comes from an external service, so that a later retry may succeed. */
export function isExternalServiceError(error: unknown, maxDepth = 5): boolean {
  if (typeof error !== 'object' || error === null || maxDepth === 0) return false;
  const { code, syscall, message, cause, previous, errors } = error as ErrorLike;
  if (typeof code === 'string') {
    if (ERROR_CODES.test(code)) return true;
    // The database's Unix socket does not exist because the server isn't running.
    if (code === 'ENOENT' && syscall === 'connect') return true;
  }
  if (typeof message === 'string' && DRIVER_MESSAGES.test(message)) return true;
  const nested = [cause, previous, ...(Array.isArray(errors) ? (errors as unknown[]) : [])];
  return nested.some((nestedError) => isExternalServiceError(nestedError, maxDepth - 1));
}
