import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { createClient } from 'redis';
import { within } from '../clock/within.js';
import { AppConfig } from '../config/app-config.js';

/** How long Redis may take for an answer, in milliseconds; a request waits no longer. */
const PATIENCE = 500;
const LONGEST_WAIT = 2000;

type Client = ReturnType<typeof createClient>;

/** The library is loaded only where it is used: it takes several megabytes. */
async function makeClient(url: string): Promise<Client> {
  const redis = await import('redis');
  return redis.createClient({
    url,
    // A command fails at once while there is no connection: nobody waits for Redis.
    disableOfflineQueue: true,
    socket: { connectTimeout: 2000, reconnectStrategy: (tries) => Math.min(100 * (tries + 1), LONGEST_WAIT) },
  });
}

/**
 * The connection to Redis of a process that serves, when REDIS_URL is set. It is opened in the background and again
 * whenever it breaks: a Redis that is away keeps nothing from starting.
 */
@Injectable()
export class RedisConnection implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('Redis');
  private readonly url: string | null;
  private client: Client | null = null;
  /** The connection is gone, and that has been logged. */
  private failing = false;

  constructor(config: AppConfig) {
    this.url = config.role === 'worker' ? null : config.redisUrl;
  }

  /** Whether this process uses Redis at all. */
  get isUsed(): boolean {
    return this.url !== null;
  }

  async onModuleInit(): Promise<void> {
    if (this.url === null) return;
    const client = await makeClient(this.url);
    client.on('error', (error: unknown) => this.fail(error));
    client.on('ready', () => {
      this.failing = false;
    });
    client.connect().catch((error: unknown) => this.fail(error));
    this.client = client;
  }

  onApplicationShutdown(): void {
    if (this.client?.isOpen) this.client.destroy();
  }

  /** Whether Redis answers now. */
  async answers(): Promise<boolean> {
    try {
      await this.ask((client) => client.ping());
      return true;
    } catch {
      return false;
    }
  }

  /**
   * Runs a script in Redis, in one step that no other command comes between.
   * @throws Error when Redis is not used, away, or slower than half a second
   */
  run(script: string, keys: string[], values: string[]): Promise<unknown> {
    return this.ask((client) => client.eval(script, { keys, arguments: values }));
  }

  private ask<T>(command: (client: Client) => Promise<T>): Promise<T> {
    if (!this.client?.isReady) return Promise.reject(new Error('There is no connection to Redis.'));
    return within(PATIENCE, command(this.client), 'Redis took too long.');
  }

  private fail(error: unknown): void {
    if (!this.failing) this.logger.warn({ err: error }, 'Redis does not answer; limits are counted in this process.');
    this.failing = true;
  }
}
