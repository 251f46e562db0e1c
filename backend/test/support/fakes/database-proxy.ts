import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type { DatabaseConnection } from '../../../src/platform/database/pool/database-connection.js';

/** By which a client ends its session. */
const TERMINATE_MESSAGE = Buffer.from([0x58, 0, 0, 0, 4]);

/** A link to the database of a suite that goes bad when it is told to. */
export class DatabaseProxy {
  private readonly connections = new Set<readonly [Socket, Socket]>();
  /** Connections on which nothing is heard any more. */
  private readonly silencedClients = new Set<Socket>();
  /** `through` as it should be; `silent` takes what comes and passes nothing on, in neither direction, old and new alike. */
  private mode: 'through' | 'silent' = 'through';

  private constructor(
    private readonly server: Server,
    private readonly target: DatabaseConnection,
    private readonly isPooler: boolean,
  ) {}

  /** @param isPooler sessions of the database go on when those who had them leave */
  static async open(target: DatabaseConnection, isPooler = false): Promise<DatabaseProxy> {
    const server = createServer();
    const proxy = new DatabaseProxy(server, target, isPooler);
    server.on('connection', (socket) => proxy.handleConnection(socket));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  /** The same database, by this link. */
  get connection(): DatabaseConnection {
    return { ...this.target, host: '127.0.0.1', port: (this.server.address() as AddressInfo).port };
  }

  /** From now on nothing is heard any more, and nothing is closed: connections that stand, and new ones. */
  stopForwarding(): void {
    this.mode = 'silent';
    for (const [client] of this.connections) this.silencedClients.add(client);
  }

  /** New connections work again; those that stood stay silent, as after a failover without a word. */
  failOver(): void {
    this.mode = 'through';
  }

  /** Connections that were given up by who opened them. */
  get open(): number {
    return [...this.connections].filter(([near]) => !near.destroyed).length;
  }

  async close(): Promise<void> {
    for (const pair of this.connections) for (const socket of pair) socket.destroy();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private handleConnection(client: Socket): void {
    const { host, port } = this.target;
    const upstream = host.startsWith('/') ? connect(join(host, `.s.PGSQL.${port}`)) : connect(port, host);
    const pair = [client, upstream] as const;
    this.connections.add(pair);
    if (this.mode === 'silent') this.silencedClients.add(client);
    const forward = (from: Socket, to: Socket) => {
      from.on('data', (bytes) => void (this.silencedClients.has(client) || to.write(bytes)));
      from.on('error', () => undefined);
    };
    if (this.isPooler)
      client
        .on('error', () => undefined)
        .on('data', (bytes) => bytes.equals(TERMINATE_MESSAGE) || upstream.write(bytes));
    else forward(client, upstream);
    forward(upstream, client);
    if (!this.isPooler) client.on('close', () => upstream.destroy());
    upstream.on('close', () => void (this.silencedClients.has(client) || client.destroy()));
  }
}
