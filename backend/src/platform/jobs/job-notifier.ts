import { MikroORM, type EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import pg from 'pg';
import { connectionTimeouts } from '../database/pool/timeouts.js';
import { JobTimings } from './running/job-timings.js';
import { queues, type QueueName } from './queues.js';

/** What processes tell each other: that a queue has new jobs, or that settings of the installation have changed. */
type NotificationTopic = QueueName | 'settings';

const CHANNEL = 'zonary_jobs';
const RECONNECT_DELAY = 1000;

/** The part of the driver's client by which a link is given up at which nobody says goodbye. */
interface DriverClient {
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
export class JobNotifier implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('Jobs');
  private readonly topicsByTransaction = new WeakMap<object, Set<NotificationTopic>>();
  private readonly pending = new Set<NotificationTopic>();
  private flushTimer: NodeJS.Timeout | undefined;
  private probeTimer: NodeJS.Timeout | undefined;
  /** Until the link is tried again; one, however many found it gone. */
  private reconnectTimer: NodeJS.Timeout | undefined;
  private client: Promise<pg.Client> | undefined;
  /** Settles when the statements so far have ended, well or not. */
  private lastStatement: Promise<void> = Promise.resolve();
  private connected: pg.Client | undefined;
  private listener: ((queue: QueueName) => void) | undefined;
  private settingsListener: (() => void) | undefined;
  private isClosed = false;
  private isProbing = false;
  /** The connection is gone, and that has been logged. */
  private isFailing = false;

  constructor(
    private readonly orm: MikroORM,
    private readonly timings: JobTimings,
  ) {}

  onModuleInit(): void {
    this.orm.em.getEventManager().registerSubscriber({
      afterTransactionCommit: ({ transaction }) => {
        const raised = transaction && this.topicsByTransaction.get(transaction);
        if (raised) this.queueNotification(raised);
      },
    });
  }

  /** Signals once the transaction of `em` has committed, or at once without one. */
  notify(em: EntityManager, signal: NotificationTopic): void {
    const transaction = em.getTransactionContext<object>();
    if (!transaction) return this.queueNotification([signal]);
    const raised = this.topicsByTransaction.get(transaction) ?? new Set();
    this.topicsByTransaction.set(transaction, raised.add(signal));
  }

  /** Calls `listener` for each signal from any process, until `silence`. */
  async listen(listener: (queue: QueueName) => void): Promise<void> {
    this.listener = listener;
    await this.subscribe();
  }

  /** Calls `hearer` when settings have changed, told by any process, until the application ends. */
  async listenForSettings(settingsListener: () => void): Promise<void> {
    this.settingsListener = settingsListener;
    await this.subscribe();
  }

  private async subscribe(): Promise<void> {
    if (this.isClosed) return;
    try {
      await this.runStatement(`LISTEN ${CHANNEL}`);
      if (this.isClosed) return;
      // Whatever came while nobody listened.
      for (const queue of Object.keys(queues)) this.listener?.(queue as QueueName);
      this.settingsListener?.();
      this.probeTimer ??= setInterval(() => void this.probeConnection(), this.timings.probeInterval).unref();
    } catch (error) {
      this.scheduleReconnect(error);
    }
  }

  /** Tells nobody of jobs from now on. */
  stopListening(): void {
    this.listener = undefined;
  }

  async onApplicationShutdown(): Promise<void> {
    this.isClosed = true;
    clearTimeout(this.flushTimer);
    clearInterval(this.probeTimer);
    clearTimeout(this.reconnectTimer);
    await this.client?.then((client) => this.closeConnection(client)).catch(() => undefined);
  }

  private queueNotification(raised: Iterable<NotificationTopic>): void {
    if (this.isClosed) return;
    for (const signal of raised) this.pending.add(signal);
    this.flushTimer ??= setTimeout(() => void this.flush(), this.timings.notifyDelay);
  }

  private async flush(): Promise<void> {
    const names = [...this.pending].join(',');
    this.pending.clear();
    try {
      await this.runStatement('SELECT pg_notify($1, $2)', [CHANNEL, names]);
    } catch (error) {
      this.logger.debug({ err: error }, 'No signal could be sent; workers find the jobs by looking.');
    }
    this.flushTimer = undefined;
    // What was raised meanwhile; one statement at a time, so that none pile up at a link that does not answer.
    if (this.pending.size > 0) this.queueNotification([]);
  }

  /** A link that does not answer is given up, and made anew. */
  private async probeConnection(): Promise<void> {
    if (!this.connected || this.isProbing) return;
    this.isProbing = true;
    // A failure has had the link made anew, and logged, by then.
    await this.runStatement('SELECT 1').catch(() => undefined);
    this.isProbing = false;
  }

  /** One statement after the other: a connection of the driver must not be given a second one meanwhile. */
  private runStatement(text: string, values: unknown[] = []): Promise<void> {
    const ran = this.lastStatement.then(async () => {
      const client = await this.connect();
      try {
        await client.query(text, values);
      } catch (error) {
        destroyConnection(client);
        this.handleConnectionLoss(client, error);
        throw error;
      }
    });
    this.lastStatement = ran.catch(() => undefined);
    return ran;
  }

  private connect(): Promise<pg.Client> {
    this.client ??= this.openConnection().catch((error: unknown) => {
      this.client = undefined;
      throw error;
    });
    return this.client;
  }

  private async openConnection(): Promise<pg.Client> {
    const { host, port, user, password, dbName, driverOptions } = this.orm.config.getAll();
    const { ssl } = (driverOptions ?? {}) as pg.ClientConfig;
    const client = new pg.Client({
      host,
      port,
      user,
      password: password as string,
      database: dbName,
      ssl,
      keepAlive: connectionTimeouts.keepAlive,
      keepAliveInitialDelayMillis: connectionTimeouts.keepAliveInitialDelayMillis,
      connectionTimeoutMillis: this.timings.connectionTimeout,
      query_timeout: this.timings.connectionTimeout,
    });
    client.on('notification', ({ payload }) => this.handleNotification(payload ?? ''));
    client.on('error', (error) => this.handleConnectionLoss(client, error));
    client.on('end', () => this.handleConnectionLoss(client, null));
    await client.connect();
    this.connected = client;
    this.isFailing = false;
    return client;
  }

  /** Says goodbye, and does not wait longer than for any answer that it is heard. */
  private async closeConnection(client: pg.Client): Promise<void> {
    const timer = setTimeout(() => destroyConnection(client), this.timings.connectionTimeout);
    await client.end().finally(() => clearTimeout(timer));
  }

  private handleNotification(payload: string): void {
    for (const name of payload.split(',')) {
      if (name === 'settings') this.settingsListener?.();
      else if (Object.hasOwn(queues, name)) this.listener?.(name as QueueName);
    }
  }

  private get hasListeners(): boolean {
    return this.listener !== undefined || this.settingsListener !== undefined;
  }

  private handleConnectionLoss(client: pg.Client, error: unknown): void {
    if (this.connected !== client || this.isClosed) return;
    this.connected = this.client = undefined;
    this.scheduleReconnect(error);
  }

  private scheduleReconnect(error: unknown): void {
    if (this.isClosed || !this.hasListeners) return;
    if (!this.isFailing)
      this.logger.warn({ err: error }, 'No connection for signals; until it is back, jobs are looked for.');
    this.isFailing = true;
    this.reconnectTimer ??= setTimeout(() => {
      this.reconnectTimer = undefined;
      if (this.hasListeners) void this.subscribe();
    }, RECONNECT_DELAY).unref();
  }
}

function destroyConnection(client: pg.Client): void {
  (client as unknown as DriverClient).connection.stream.destroy();
}
