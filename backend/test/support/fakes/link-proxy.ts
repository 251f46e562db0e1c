import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type { DatabaseConnection } from '../../../src/platform/database/pool/database-connection.js';

/** By which a client ends its session. */
const GOODBYE = Buffer.from([0x58, 0, 0, 0, 4]);

/** A link to the database of a suite that goes bad when it is told to. */
export class LinkProxy {
  private readonly pairs = new Set<readonly [Socket, Socket]>();
  /** Connections on which nothing is heard any more. */
  private readonly dumb = new Set<Socket>();
  /** `through` as it should be; `silent` takes what comes and passes nothing on, in neither direction, old and new alike. */
  private mode: 'through' | 'silent' = 'through';

  private constructor(
    private readonly server: Server,
    private readonly to: DatabaseConnection,
    private readonly isPooler: boolean,
  ) {}

  /** @param isPooler sessions of the database go on when those who had them leave */
  static async open(to: DatabaseConnection, isPooler = false): Promise<LinkProxy> {
    const server = createServer();
    const proxy = new LinkProxy(server, to, isPooler);
    server.on('connection', (socket) => proxy.accept(socket));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  /** The same database, by this link. */
  get connection(): DatabaseConnection {
    return { ...this.to, host: '127.0.0.1', port: (this.server.address() as AddressInfo).port };
  }

  /** From now on nothing is heard any more, and nothing is closed: connections that stand, and new ones. */
  fallSilent(): void {
    this.mode = 'silent';
    for (const [near] of this.pairs) this.dumb.add(near);
  }

  /** New connections work again; those that stood stay silent, as after a failover without a word. */
  failOver(): void {
    this.mode = 'through';
  }

  /** Connections that were given up by who opened them. */
  get open(): number {
    return [...this.pairs].filter(([near]) => !near.destroyed).length;
  }

  async close(): Promise<void> {
    for (const pair of this.pairs) for (const socket of pair) socket.destroy();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private accept(near: Socket): void {
    const { host, port } = this.to;
    const far = host.startsWith('/') ? connect(join(host, `.s.PGSQL.${port}`)) : connect(port, host);
    const pair = [near, far] as const;
    this.pairs.add(pair);
    if (this.mode === 'silent') this.dumb.add(near);
    const pass = (from: Socket, to: Socket) => {
      from.on('data', (bytes) => void (this.dumb.has(near) || to.write(bytes)));
      from.on('error', () => undefined);
    };
    if (this.isPooler)
      near.on('error', () => undefined).on('data', (bytes) => bytes.equals(GOODBYE) || far.write(bytes));
    else pass(near, far);
    pass(far, near);
    if (!this.isPooler) near.on('close', () => far.destroy());
    far.on('close', () => void (this.dumb.has(near) || near.destroy()));
  }
}
