import { MikroORM, type EntityManager } from '@mikro-orm/postgresql';
import { Inject, Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import pg from 'pg';
import { DATABASE_CONNECTION, type DatabaseConnection } from '../database/pool/database-connection.js';
import { connectionTimeouts } from '../database/pool/timeouts.js';
import { JobTimings } from './running/job-timings.js';
import { queues, type QueueName } from './queues.js';

/** What a notification is about: new jobs in a queue, or changed settings. */
type NotificationTopic = QueueName | 'settings';

const CHANNEL = 'zonary_jobs';
/** Name of the connection in `pg_stat_activity`. */
export const LISTENER_NAME = 'zonary-listener';
const RECONNECT_DELAY = 1000;

/**
 * Notifies workers in all processes of new jobs in a queue, and all processes of changed settings. Sent after the
 * commit and on a separate connection: a NOTIFY within the transactions would make their commits wait for each other. A
 * notification may be lost (a broken connection, or a savepoint commit that comes too early), so workers also poll. A
 * dead TCP connection raises no event, so listeners probe it periodically.
 */
@Injectable()
export class JobNotifier implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('Jobs');
  private readonly topicsByTransaction = new WeakMap<object, Set<NotificationTopic>>();
  private readonly pending = new Set<NotificationTopic>();
  private flushTimer: NodeJS.Timeout | undefined;
  private probeTimer: NodeJS.Timeout | undefined;
  /** Set until the next reconnect attempt, so that there is only one. */
  private reconnectTimer: NodeJS.Timeout | undefined;
  private client: Promise<pg.Client> | undefined;
  /** Settles when all previous statements have ended, successfully or not. */
  private lastStatement: Promise<void> = Promise.resolve();
  private connected: pg.Client | undefined;
  private listener: ((queue: QueueName) => void) | undefined;
  private settingsListener: (() => void) | undefined;
  private isClosed = false;
  private isProbing = false;
  /** Whether the current outage has been logged. */
  private isFailing = false;

  constructor(
    private readonly orm: MikroORM,
    private readonly timings: JobTimings,
    @Inject(DATABASE_CONNECTION) private readonly databaseConnection: DatabaseConnection,
  ) {}

  onModuleInit(): void {
    this.orm.em.getEventManager().registerSubscriber({
      afterTransactionCommit: ({ transaction }) => {
        const topics = transaction && this.topicsByTransaction.get(transaction);
        if (topics) this.queueNotification(topics);
      },
    });
  }

  /** Notifies after the transaction of `em` has committed, or at once if there is none. */
  notify(em: EntityManager, topic: NotificationTopic): void {
    const transaction = em.getTransactionContext<object>();
    if (!transaction) return this.queueNotification([topic]);
    const topics = this.topicsByTransaction.get(transaction) ?? new Set();
    this.topicsByTransaction.set(transaction, topics.add(topic));
  }

  /** Calls `listener` for each notification from any process, until `stopListening`. */
  async listen(listener: (queue: QueueName) => void): Promise<void> {
    this.listener = listener;
    await this.subscribe();
  }

  /** Calls `settingsListener` when any process has changed settings, until the application ends. */
  async listenForSettings(settingsListener: () => void): Promise<void> {
    this.settingsListener = settingsListener;
    await this.subscribe();
  }

  private async subscribe(): Promise<void> {
    if (this.isClosed) return;
    try {
      await this.runStatement(`LISTEN ${CHANNEL}`);
      if (this.isClosed) return;
      // Notifications may have been missed while not connected.
      for (const queue of Object.keys(queues)) this.listener?.(queue as QueueName);
      this.settingsListener?.();
      this.probeTimer ??= setInterval(() => void this.probeConnection(), this.timings.probeInterval).unref();
    } catch (error) {
      this.scheduleReconnect(error);
    }
  }

  /** Stops calling the job listener. */
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

  private queueNotification(topics: Iterable<NotificationTopic>): void {
    if (this.isClosed) return;
    for (const topic of topics) this.pending.add(topic);
    this.flushTimer ??= setTimeout(() => void this.flush(), this.timings.notifyDelay);
  }

  private async flush(): Promise<void> {
    const names = [...this.pending].join(',');
    this.pending.clear();
    try {
      await this.runStatement('SELECT pg_notify($1, $2)', [CHANNEL, names]);
    } catch (error) {
      this.logger.debug({ err: error }, "Couldn't notify workers; they find the jobs by polling.");
    }
    this.flushTimer = undefined;
    // Sends topics added meanwhile. Only one statement runs at a time, so that none pile up on an unresponsive
    // connection.
    if (this.pending.size > 0) this.queueNotification([]);
  }

  /** Replaces a connection that doesn't respond. */
  private async probeConnection(): Promise<void> {
    if (!this.connected || this.isProbing) return;
    this.isProbing = true;
    // On failure, `runStatement` has already logged the error and scheduled a reconnect.
    await this.runStatement('SELECT 1').catch(() => undefined);
    this.isProbing = false;
  }

  /** Runs statements one at a time, because the driver's client must not be used concurrently. */
  private runStatement(text: string, values: unknown[] = []): Promise<void> {
    const completion = this.lastStatement.then(async () => {
      const client = await this.connect();
      try {
        await client.query(text, values);
      } catch (error) {
        destroyConnection(client);
        this.handleConnectionLoss(client, error);
        throw error;
      }
    });
    this.lastStatement = completion.catch(() => undefined);
    return completion;
  }

  private connect(): Promise<pg.Client> {
    this.client ??= this.openConnection().catch((error: unknown) => {
      this.client = undefined;
      throw error;
    });
    return this.client;
  }

  private async openConnection(): Promise<pg.Client> {
    const client = new pg.Client({
      ...(this.databaseConnection as pg.ClientConfig),
      application_name: LISTENER_NAME,
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

  /** Closes the connection; destroys it when the server doesn't respond in time. */
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
      this.logger.warn({ err: error }, 'Lost the LISTEN connection; polling for jobs until it is back.');
    this.isFailing = true;
    this.reconnectTimer ??= setTimeout(() => {
      this.reconnectTimer = undefined;
      if (this.hasListeners) void this.subscribe();
    }, RECONNECT_DELAY).unref();
  }
}

function destroyConnection(client: pg.Client): void {
  client.connection.stream.destroy();
}
