import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { createClient } from 'redis';
import { withTimeout } from '../clock/with-timeout.js';
import { AppConfig } from '../config/app-config.js';

/** Timeout of a Redis command, in milliseconds; requests never wait longer for it. */
const COMMAND_TIMEOUT = 500;
const MAX_RECONNECT_DELAY = 2000;

type RedisClient = ReturnType<typeof createClient>;

/** Imports the library only when Redis is used, because it needs several megabytes of memory. */
async function createRedisClient(url: string): Promise<RedisClient> {
  const redis = await import('redis');
  return redis.createClient({
    url,
    // Without a connection, commands fail at once, so that nothing waits for Redis.
    disableOfflineQueue: true,
    socket: { connectTimeout: 2000, reconnectStrategy: (tries) => Math.min(100 * (tries + 1), MAX_RECONNECT_DELAY) },
  });
}

/**
 * The Redis connection of a process that serves requests, when REDIS_URL is set. It connects in the background and
 * reconnects when the connection is lost, so a Redis outage never prevents the start.
 */
@Injectable()
export class RedisConnection implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger('Redis');
  private readonly url: string | null;
  private client: RedisClient | null = null;
  /** Whether the current outage has been logged. */
  private isFailing = false;

  constructor(config: AppConfig) {
    this.url = config.role === 'worker' ? null : config.redisUrl;
  }

  get isUsed(): boolean {
    return this.url !== null;
  }

  async onModuleInit(): Promise<void> {
    if (this.url === null) return;
    const client = await createRedisClient(this.url);
    client.on('error', (error: unknown) => this.logFailure(error));
    client.on('ready', () => {
      this.isFailing = false;
    });
    client.connect().catch((error: unknown) => this.logFailure(error));
    this.client = client;
  }

  onApplicationShutdown(): void {
    if (this.client?.isOpen) this.client.destroy();
  }

  async isAnswering(): Promise<boolean> {
    try {
      await this.runCommand((client) => client.ping());
      return true;
    } catch {
      return false;
    }
  }

  /**
   * Runs a Lua script atomically in Redis.
   * @throws Error when Redis is not used, is unavailable, or takes longer than half a second
   */
  runScript(script: string, keys: string[], values: string[]): Promise<unknown> {
    return this.runCommand((client) => client.eval(script, { keys, arguments: values }));
  }

  private runCommand<T>(command: (client: RedisClient) => Promise<T>): Promise<T> {
    if (!this.client?.isReady) return Promise.reject(new Error('There is no connection to Redis.'));
    return withTimeout(COMMAND_TIMEOUT, command(this.client), 'Redis took too long.');
  }

  private logFailure(error: unknown): void {
    if (!this.isFailing) this.logger.warn({ err: error }, 'Redis is unreachable; rate limits are counted per process.');
    this.isFailing = true;
  }
}
