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
  /** The data folder (DATA_DIR); made when missing. One process at a time may use it. */
  readonly dataDir: string;
  /** Name of the application's database, made when missing. */
  readonly database?: string;
  /** False gives up safety against a power cut for speed; for tests alone. */
  readonly fsync?: boolean;
  /**
   * Called once when the server ended without having been asked to more than five times within ten minutes, starts that
   * failed included; what was committed is safe, no query works.
   */
  readonly onUnexpectedExit?: (error: EmbeddedPostgresError) => void;
  /** Receives sentences about what the start is doing beyond the usual. */
  readonly onNotice?: (sentence: string) => void;
  /** How long to wait, in milliseconds, for another process to let go of the data folder before giving up. */
  readonly lockWaitMs?: number;
  /** Where root keeps what its stand-in cannot reach elsewhere. */
  readonly systemDir?: string;
  readonly transport?: ServerTransportKind;
  /** Waits before a server that died is started again, in milliseconds; shorter in tests. */
  readonly restartDelays?: readonly number[];
}

const LOCK_TIMEOUT_MS = 5_000;
const SYSTEM_DIR = '/var/lib/zonary';

const LOG_SETTINGS = {
  log_destination: 'stderr',
  logging_collector: 'off',
  // Messages of level ERROR quote statements and values, which may be addresses and tokens.
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
 * A real PostgreSQL server that runs beside this process, from programs that npm installed, on a private socket.
 *
 * ```ts
 * const postgres = new EmbeddedPostgres({ dataDir: './data', onUnexpectedExit: shutDown });
 * const connection = await postgres.start();
 * // …
 * await postgres.stop();
 * ```
 *
 * A process that is killed takes nothing committed with it: the server is stopped by its guardian, and whatever is left
 * is put right by the next start.
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
   * Starts the server, making cluster and database when they are missing; repeated calls give the same connection.
   * @throws EmbeddedPostgresError with a sentence for the person who started the process; nothing is left running then
   */
  start(): Promise<DatabaseConnection> {
    this.#starting ??= this.#start().catch(async (error: unknown) => {
      await this.#unwind();
      throw error;
    });
    return this.#starting;
  }

  /**
   * Stops the server in good order and gives up the data folder; a start under way is awaited first. Connections still
   * open are cut, so close pools before. Safe to call at any time and more than once.
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
