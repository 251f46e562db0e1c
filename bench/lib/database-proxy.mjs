import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';

/** A database proxy that can go silent: it accepts data, forwards nothing and closes nothing. */
export class LinkProxy {
  #server = createServer((near) => this.#accept(near));
  #nears = new Set();
  #dumb = new Set();
  #silent = false;
  #to;

  constructor(to) {
    this.#to = to;
  }

  async listen() {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return { ...this.#to, host: '127.0.0.1', port: this.#server.address().port };
  }

  /** Discards all traffic, on existing and new connections. */
  fallSilent() {
    this.#silent = true;
    for (const near of this.#nears) this.#dumb.add(near);
  }

  /** Forwards new connections again; existing ones stay silent, as after a failover that sends no reset. */
  failOver() {
    this.#silent = false;
  }

  close() {
    for (const near of this.#nears) near.destroy();
    this.#server.close();
  }

  #accept(near) {
    const { host, port } = this.#to;
    const far = host.startsWith('/') ? connect(join(host, `.s.PGSQL.${port}`)) : connect(port, host);
    this.#nears.add(near);
    if (this.#silent) this.#dumb.add(near);
    const pass = (from, to) => {
      from.on('data', (bytes) => this.#dumb.has(near) || to.write(bytes));
      from.on('error', () => undefined);
    };
    pass(near, far);
    pass(far, near);
    near.on('close', () => far.destroy());
    far.on('close', () => this.#dumb.has(near) || near.destroy());
  }
}
