import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A proxy in front of a product. */
export interface PlainProxy {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * A proxy that tells nothing of itself or of who asks, as a bare `proxy_pass` does: the host is that of the product, no
 * header is added, and the peer is this machine.
 * @param target address of the product
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
