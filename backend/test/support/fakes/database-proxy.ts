import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type { DatabaseConnection } from '../../../src/platform/database/pool/database-connection.js';

/** PostgreSQL's Terminate message. */
const TERMINATE_MESSAGE = Buffer.from([0x58, 0, 0, 0, 4]);

/** A TCP proxy to a suite's database that can simulate failures, and counts statements. */
export class DatabaseProxy {
  private readonly connections = new Set<readonly [Socket, Socket]>();
  /** Connections whose traffic is discarded. */
  private readonly silencedClients = new Set<Socket>();
  /** `forwarding` forwards everything; `silent` discards all traffic in both directions, on old and new connections. */
  private mode: 'forwarding' | 'silent' = 'forwarding';
  /** When each statement was sent, by `performance.now()`. */
  private readonly statementTimes: number[] = [];

  private constructor(
    private readonly server: Server,
    private readonly target: DatabaseConnection,
    private readonly isPooler: boolean,
  ) {}

  /** @param isPooler keeps the database session open when its client disconnects, as a pooler does */
  static async open(target: DatabaseConnection, isPooler = false): Promise<DatabaseProxy> {
    const server = createServer();
    const proxy = new DatabaseProxy(server, target, isPooler);
    server.on('connection', (socket) => proxy.handleConnection(socket));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  /** The same database through this proxy. */
  get connection(): DatabaseConnection {
    return { ...this.target, host: '127.0.0.1', port: (this.server.address() as AddressInfo).port };
  }

  /** Discards all traffic from now on, on old and new connections, without closing any. */
  stopForwarding(): void {
    this.mode = 'silent';
    for (const [client] of this.connections) this.silencedClients.add(client);
  }

  /** Forwards new connections again; old ones stay silent, as after a failover that sends no reset. */
  failOver(): void {
    this.mode = 'forwarding';
  }

  /** Number of statements that clients have sent since then, by `performance.now()`. */
  countStatements(since: number): number {
    return this.statementTimes.filter((time) => time >= since).length;
  }

  /** Connections that the client hasn't closed. */
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
    client.on(
      'data',
      createStatementListener(() => this.statementTimes.push(performance.now())),
    );
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

/** Types of messages: Query, and Sync, which ends a statement with parameters. */
const STATEMENT_TYPES = new Set(['Q', 'S']);

/** Reads the messages of a client; all but its first one begin with their type. Each contains its length. */
function createStatementListener(onStatement: () => void): (bytes: Buffer) => void {
  let pending = Buffer.alloc(0);
  let typeLength = 0;
  return (bytes) => {
    pending = Buffer.concat([pending, bytes]);
    while (pending.length >= typeLength + 4) {
      const end = typeLength + pending.readInt32BE(typeLength);
      if (pending.length < end) return;
      if (typeLength > 0 && STATEMENT_TYPES.has(String.fromCharCode(pending[0]!))) onStatement();
      typeLength = 1;
      pending = pending.subarray(end);
    }
  };
}
