import { SECOND } from '../../clock/clock.js';

/** How long the server waits for a sender or a reader, in milliseconds. */
export interface HttpTimeouts {
  /** For the headers of a request. */
  readonly headers: number;
  /** For a whole body that is no upload. */
  readonly body: number;
  /** For the next bytes of such a body. */
  readonly idleBody: number;
  /** For the next request on an open connection. */
  readonly idle: number;
  /** For a reader to take the next bytes of an answer. */
  readonly reader: number;
}

export const defaultHttpTimeouts: HttpTimeouts = {
  headers: 15 * SECOND,
  body: 30 * SECOND,
  idleBody: 10 * SECOND,
  // Longer than proxies keep theirs (Caddy 120 s, nginx and load balancers 60 s): the side that closes first must be the
  // one that sends, or a request meets a connection that is just being closed.
  idle: 125 * SECOND,
  reader: 60 * SECOND,
};

/** How long an upload may take in all; what is silent meanwhile is cut off by its own reader. */
export const UPLOAD_TIMEOUT = 3600 * SECOND;
