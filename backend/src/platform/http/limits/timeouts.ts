import { SECOND } from '../../clock/clock.js';

/** HTTP timeouts, in milliseconds. */
export interface HttpTimeouts {
  /** For the headers of a request. */
  readonly headers: number;
  /** For a whole body that is not an upload. */
  readonly body: number;
  /** Between two chunks of such a body. */
  readonly idleBody: number;
  /** For the next request on a keep-alive connection. */
  readonly idle: number;
  /** For a client to read the next bytes of a response. */
  readonly stalledClient: number;
}

export const defaultHttpTimeouts: HttpTimeouts = {
  headers: 15 * SECOND,
  body: 30 * SECOND,
  idleBody: 10 * SECOND,
  // Longer than the timeouts of proxies (Caddy 120 s, nginx and load balancers 60 s). The proxy must close idle
  // connections first; otherwise a request could meet a connection that is just being closed.
  idle: 125 * SECOND,
  stalledClient: 60 * SECOND,
};

/** Maximum duration of an upload, in milliseconds; stalled uploads are ended earlier by their parsers. */
export const UPLOAD_TIMEOUT = 3600 * SECOND;
