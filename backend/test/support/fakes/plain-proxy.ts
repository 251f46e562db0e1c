import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A reverse proxy in front of the product. */
export interface PlainProxy {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Starts a proxy that adds no headers, like a bare `proxy_pass`: the host is the product's, and the peer address is
 * this machine.
 * @param target URL of the product
 */
export async function startPlainProxy(target: string): Promise<PlainProxy> {
  const { hostname, port, host } = new URL(target);
  const server = createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const upstream = request({ hostname, port, method, path, headers: { ...headers, host } }, (response) => {
      outgoing.writeHead(response.statusCode!, response.headers);
      response.pipe(outgoing);
    });
    upstream.on('error', () => outgoing.destroy());
    incoming.pipe(upstream);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
