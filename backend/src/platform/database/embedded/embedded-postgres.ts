import { realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import pg from 'pg';
import type { DatabaseConnection } from '../pool/database-connection.js';
import { findBinaries } from './postgres-binaries.js';
import { resolveClusterLocation } from './cluster-location.js';
import { prepareCluster, SUPERUSER } from './cluster.js';
import { DataFolderLock } from './data-folder-lock.js';
import type { EmbeddedPostgresError } from './embedded-postgres.error.js';
import { removeStaleFiles } from './stale-files.js';
import { SupervisedServer } from './supervised-server.js';
import {
  defaultTransport,
  openServerTransport,
  ensurePasswordFile,
  type ServerTransport,
  type ServerTransportKind,
} from './server-transport.js';

export interface EmbeddedPostgresOptions {
  /** The data folder (DATA_DIR), created when missing. Only one process at a time may use it. */
  readonly dataDir: string;
  /** Name of the application's database, created when missing. */
  readonly database?: string;
  /** False trades safety against power failures for speed; only for tests. */
  readonly fsync?: boolean;
  /**
   * Called once when the server has crashed more than five times within ten minutes, including failed restarts.
   * Committed data is safe, but no query works any more.
   */
  readonly onUnexpectedExit?: (error: EmbeddedPostgresError) => void;
  /** Receives messages about unusual steps of the start. */
  readonly onNotice?: (sentence: string) => void;
  /** How long to wait for another process to release the data folder, in milliseconds. */
  readonly lockWaitMs?: number;
  /** Folder for files that the unprivileged account could not reach elsewhere; only used when running as root. */
  readonly systemDir?: string;
  readonly transport?: ServerTransportKind;
  /** Delays before restarts after a crash, in milliseconds; shorter in tests. */
  readonly restartDelays?: readonly number[];
}

const LOCK_TIMEOUT_MS = 5_000;
const SYSTEM_DIR = '/var/lib/zonary';

const LOG_SETTINGS = {
  log_destination: 'stderr',
  logging_collector: 'off',
  // Messages of level ERROR quote statements and values, which may contain email addresses and tokens.
  log_min_messages: 'log',
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
};
const SERVER_SETTINGS = {
  cluster_name: 'zonary',
  max_connections: '200',
  timezone: 'UTC',
  log_timezone: 'UTC',
  ...LOG_SETTINGS,
};
const UNSAFE_SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

/**
 * A PostgreSQL server run as a child process, from binaries that npm installed, on a private socket.
 *
 * ```ts
 * const postgres = new EmbeddedPostgres({ dataDir: './data', onUnexpectedExit: shutDown });
 * const connection = await postgres.start();
 * // …
 * await postgres.stop();
 * ```
 *
 * No committed data is lost when this process is killed: a watchdog stops the server, and the next start cleans up
 * stale files.
 */
export class EmbeddedPostgres {
  readonly #options: EmbeddedPostgresOptions;
  #starting: Promise<DatabaseConnection> | undefined;
  #stopping: Promise<void> | undefined;
  #undo: (() => unknown)[] = [];

  constructor(options: EmbeddedPostgresOptions) {
    this.#options = options;
  }

  /**
   * Starts the server, creating the cluster and database when they are missing. Repeated calls return the same
   * connection.
   * @throws EmbeddedPostgresError with a message for the operator; nothing is left running then
   */
  start(): Promise<DatabaseConnection> {
    this.#starting ??= this.#start().catch(async (error: unknown) => {
      await this.#unwind();
      throw error;
    });
    return this.#starting;
  }

  /**
   * Shuts the server down cleanly and releases the data folder; a start in progress is awaited first. Open connections
   * are terminated, so close pools before. Can be called at any time and repeatedly.
   */
  stop(): Promise<void> {
    this.#stopping ??= this.#stop().finally(() => (this.#stopping = undefined));
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    await this.#starting?.catch(() => undefined);
    await this.#unwind();
    this.#starting = undefined;
  }

  async #start(): Promise<DatabaseConnection> {
    const { systemDir = SYSTEM_DIR, transport: kind = defaultTransport, fsync = true } = this.#options;
    const { onNotice, restartDelays } = this.#options;
    const dataDir = await this.#takeDataDir();
    const place = await resolveClusterLocation(dataDir, systemDir);
    const binaries = await findBinaries(place.account, systemDir);
    await prepareCluster(place, binaries, { passwordFile: ensurePasswordFile(kind, dataDir, place.account), fsync });
    if (await removeStaleFiles(place.clusterDir, binaries)) {
      onNotice?.('The last process did not end in good order; its database server was stopped first.');
    }
    const transport = await openServerTransport(kind, dataDir, place.account);
    this.#undo.push(() => transport.close());
    const server = await SupervisedServer.start({
      server: {
        ...place,
        binaries,
        socketDir: kind === 'socket' ? transport.host : '',
        logFile: join(dataDir, 'postgres.log'),
        settings: { ...SERVER_SETTINGS, ...transport.settings, ...(fsync ? {} : UNSAFE_SETTINGS) },
      },
      ...(restartDelays ? { restartDelays: restartDelays } : {}),
      onNotice,
      onGiveUp: this.#options.onUnexpectedExit,
    });
    this.#undo.push(() => server.stop());
    return this.#openDatabase(transport);
  }

  async #takeDataDir(): Promise<string> {
    const { dataDir, lockWaitMs = LOCK_TIMEOUT_MS, onNotice } = this.#options;
    const lock = await DataFolderLock.acquire(resolve(dataDir), lockWaitMs, () =>
      onNotice?.(`Another process uses the data folder ${resolve(dataDir)}; waiting for it to stop.`),
    );
    this.#undo.push(() => lock.release());
    return realpathSync(dataDir);
  }

  async #openDatabase({ host, port, password }: ServerTransport): Promise<DatabaseConnection> {
    const { database = 'zonary' } = this.#options;
    const server = { host, port, user: SUPERUSER, ...(password ? { password } : {}) };
    const client = new pg.Client({ ...server, database: 'postgres' });
    await client.connect();
    try {
      const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [database]);
      if (rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(database)}`);
    } finally {
      await client.end();
    }
    return { ...server, database };
  }

  async #unwind(): Promise<void> {
    for (let step = this.#undo.pop(); step; step = this.#undo.pop()) await step();
  }
}
