import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';

/** A database proxy whose connections can be frozen: it accepts data, but forwards and closes nothing. */
export class DatabaseProxy {
  #server = createServer((client) => this.#accept(client));
  #clients = new Set();
  #frozen = new Set();
  #isFrozen = false;
  #target;

  constructor(destination) {
    this.#target = destination;
  }

  async listen() {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return { ...this.#target, host: '127.0.0.1', port: this.#server.address().port };
  }

  /** Freezes existing and new connections: their data is discarded. */
  freeze() {
    this.#isFrozen = true;
    for (const client of this.#clients) this.#frozen.add(client);
  }

  /** Forwards new connections again; existing ones stay frozen, as after a failover that sends no reset. */
  restore() {
    this.#isFrozen = false;
  }

  close() {
    for (const client of this.#clients) client.destroy();
    this.#server.close();
  }

  #accept(client) {
    const { host, port } = this.#target;
    const server = host.startsWith('/') ? connect(join(host, `.s.PGSQL.${port}`)) : connect(port, host);
    this.#clients.add(client);
    if (this.#isFrozen) this.#frozen.add(client);
    const forward = (source, destination) => {
      source.on('data', (bytes) => this.#frozen.has(client) || destination.write(bytes));
      source.on('error', () => undefined);
    };
    forward(client, server);
    forward(server, client);
    client.on('close', () => server.destroy());
    server.on('close', () => this.#frozen.has(client) || client.destroy());
  }
}
