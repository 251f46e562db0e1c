import { MikroORM, type EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import pg from 'pg';
import { limitsOfConnection } from '../database/pool/time-limits.js';
import { JobTimings } from './running/job-timings.js';
import { queues, type QueueName } from './queues.js';

/** What processes tell each other: that a queue has new jobs, or that settings of the installation have changed. */
type Signal = QueueName | 'settings';

const CHANNEL = 'zonary_jobs';
const RECONNECT_AFTER = 1000;

/** The part of the driver's client by which a link is given up at which nobody says goodbye. */
interface Link {
  readonly connection: { readonly stream: { destroy(error?: Error): void } };
}

/**
 * Tells workers, in this process and others, that queues have new jobs, and every process that settings of the
 * installation have changed. Sent after the commit and over a connection
 * of its own: a NOTIFY inside the transactions would make their commits wait for each other. A signal may be lost
 * (a broken connection; a commit of a savepoint comes too early): workers also look by themselves. A link that went
 * silent is reported by nobody, so whoever listens asks it now and then whether anybody is there.
 */
@Injectable()
export class JobSignal implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('Jobs');
  private readonly raisedIn = new WeakMap<object, Set<Signal>>();
  private readonly pending = new Set<Signal>();
  private timer: NodeJS.Timeout | undefined;
  private probe: NodeJS.Timeout | undefined;
  /** Until the link is tried again; one, however many found it gone. */
  private again: NodeJS.Timeout | undefined;
  private client: Promise<pg.Client> | undefined;
  /** Settles when the statements so far have ended, well or not. */
  private turn: Promise<void> = Promise.resolve();
  private live: pg.Client | undefined;
  private listener: ((queue: QueueName) => void) | undefined;
  private settingsHearer: (() => void) | undefined;
  private closed = false;
  private isAsking = false;
  /** The connection is gone, and that has been logged. */
  private failing = false;

  constructor(
    private readonly orm: MikroORM,
    private readonly timings: JobTimings,
  ) {}

  onModuleInit(): void {
    this.orm.em.getEventManager().registerSubscriber({
      afterTransactionCommit: ({ transaction }) => {
        const raised = transaction && this.raisedIn.get(transaction);
        if (raised) this.send(raised);
      },
    });
  }

  /** Signals once the transaction of `em` has committed, or at once without one. */
  raise(em: EntityManager, signal: Signal): void {
    const transaction = em.getTransactionContext<object>();
    if (!transaction) return this.send([signal]);
    const raised = this.raisedIn.get(transaction) ?? new Set();
    this.raisedIn.set(transaction, raised.add(signal));
  }

  /** Calls `listener` for each signal from any process, until `silence`. */
  async listen(listener: (queue: QueueName) => void): Promise<void> {
    this.listener = listener;
    await this.attend();
  }

  /** Calls `hearer` when settings have changed, told by any process, until the application ends. */
  async hear(hearer: () => void): Promise<void> {
    this.settingsHearer = hearer;
    await this.attend();
  }

  private async attend(): Promise<void> {
    if (this.closed) return;
    try {
      await this.run(`LISTEN ${CHANNEL}`);
      if (this.closed) return;
      // Whatever came while nobody listened.
      for (const queue of Object.keys(queues)) this.listener?.(queue as QueueName);
      this.settingsHearer?.();
      this.probe ??= setInterval(() => void this.ask(), this.timings.probe).unref();
    } catch (error) {
      this.reconnect(error);
    }
  }

  /** Tells nobody of jobs from now on. */
  silence(): void {
    this.listener = undefined;
  }

  async onApplicationShutdown(): Promise<void> {
    this.closed = true;
    clearTimeout(this.timer);
    clearInterval(this.probe);
    clearTimeout(this.again);
    await this.client?.then((client) => this.end(client)).catch(() => undefined);
  }

  private send(raised: Iterable<Signal>): void {
    if (this.closed) return;
    for (const signal of raised) this.pending.add(signal);
    this.timer ??= setTimeout(() => void this.flush(), this.timings.coalesce);
  }

  private async flush(): Promise<void> {
    const names = [...this.pending].join(',');
    this.pending.clear();
    try {
      await this.run('SELECT pg_notify($1, $2)', [CHANNEL, names]);
    } catch (error) {
      this.logger.debug({ err: error }, 'No signal could be sent; workers find the jobs by looking.');
    }
    this.timer = undefined;
    // What was raised meanwhile; one statement at a time, so that none pile up at a link that does not answer.
    if (this.pending.size > 0) this.send([]);
  }

  /** A link that does not answer is given up, and made anew. */
  private async ask(): Promise<void> {
    if (!this.live || this.isAsking) return;
    this.isAsking = true;
    // A failure has had the link made anew, and logged, by then.
    await this.run('SELECT 1').catch(() => undefined);
    this.isAsking = false;
  }

  /** One statement after the other: a connection of the driver must not be given a second one meanwhile. */
  private run(text: string, values: unknown[] = []): Promise<void> {
    const ran = this.turn.then(async () => {
      const client = await this.connect();
      try {
        await client.query(text, values);
      } catch (error) {
        giveUp(client);
        this.lost(client, error);
        throw error;
      }
    });
    this.turn = ran.catch(() => undefined);
    return ran;
  }

  private connect(): Promise<pg.Client> {
    this.client ??= this.open().catch((error: unknown) => {
      this.client = undefined;
      throw error;
    });
    return this.client;
  }

  private async open(): Promise<pg.Client> {
    const { host, port, user, password, dbName, driverOptions } = this.orm.config.getAll();
    const { ssl } = (driverOptions ?? {}) as pg.ClientConfig;
    const client = new pg.Client({
      host,
      port,
      user,
      password: password as string,
      database: dbName,
      ssl,
      keepAlive: limitsOfConnection.keepAlive,
      keepAliveInitialDelayMillis: limitsOfConnection.keepAliveInitialDelayMillis,
      connectionTimeoutMillis: this.timings.answer,
      query_timeout: this.timings.answer,
    });
    client.on('notification', ({ payload }) => this.receive(payload ?? ''));
    client.on('error', (error) => this.lost(client, error));
    client.on('end', () => this.lost(client, null));
    await client.connect();
    this.live = client;
    this.failing = false;
    return client;
  }

  /** Says goodbye, and does not wait longer than for any answer that it is heard. */
  private async end(client: pg.Client): Promise<void> {
    const timer = setTimeout(() => giveUp(client), this.timings.answer);
    await client.end().finally(() => clearTimeout(timer));
  }

  private receive(payload: string): void {
    for (const name of payload.split(',')) {
      if (name === 'settings') this.settingsHearer?.();
      else if (Object.hasOwn(queues, name)) this.listener?.(name as QueueName);
    }
  }

  private get isHeard(): boolean {
    return this.listener !== undefined || this.settingsHearer !== undefined;
  }

  private lost(client: pg.Client, error: unknown): void {
    if (this.live !== client || this.closed) return;
    this.live = this.client = undefined;
    this.reconnect(error);
  }

  private reconnect(error: unknown): void {
    if (this.closed || !this.isHeard) return;
    if (!this.failing)
      this.logger.warn({ err: error }, 'No connection for signals; until it is back, jobs are looked for.');
    this.failing = true;
    this.again ??= setTimeout(() => {
      this.again = undefined;
      if (this.isHeard) void this.attend();
    }, RECONNECT_AFTER).unref();
  }
}

function giveUp(client: pg.Client): void {
  (client as unknown as Link).connection.stream.destroy();
}
