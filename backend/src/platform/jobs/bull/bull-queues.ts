import { BullModule, getQueueToken } from '@nestjs/bull';
import type { DynamicModule, FactoryProvider } from '@nestjs/common';
import type Bull from 'bull';
import { SECOND } from '../../clock/clock.js';
import { withTimeout } from '../../clock/with-timeout.js';
import { queues, type QueueName } from '../queues.js';

/** A message says which job is due. Everything else is in the job's row. */
export interface JobMessage {
  readonly id: number;
}

/** Timeout of Redis commands, in milliseconds; without it, a command on a dead connection would never end. */
export const REDIS_TIMEOUT = 2 * SECOND;

/** The Bull queues in Redis, one per job queue. */
export type BullQueues = ReadonlyMap<QueueName, Bull.Queue<JobMessage>>;
export const BULL_QUEUES = Symbol('BULL_QUEUES');

const queueNames = Object.keys(queues) as QueueName[];

/** A message is removed whatever its outcome; the job's row decides about retries. */
const defaultJobOptions: Bull.JobOptions = { attempts: 1, removeOnComplete: true, removeOnFail: true };

/**
 * The module that opens the Bull queues in Redis at `url`. Only for workers; other processes would open connections for
 * nothing.
 */
export function createBullModule(url: string): DynamicModule {
  const redis = redisOptions(url);
  return BullModule.registerQueue(
    ...queueNames.map((name) => ({
      name,
      prefix: 'zonary',
      redis,
      defaultJobOptions,
      // A delayed message is found within `guardInterval` if the queue's event about it was missed.
      settings: { retryProcessDelay: SECOND, guardInterval: SECOND },
    })),
  );
}

export const bullQueuesProvider: FactoryProvider<BullQueues> = {
  provide: BULL_QUEUES,
  inject: queueNames.map((name) => getQueueToken(name)),
  useFactory: (...opened: Bull.Queue<JobMessage>[]) => {
    for (const queue of opened) Object.assign(queue, { onApplicationShutdown: () => closeQueue(queue) });
    return new Map(queueNames.map((name, index) => [name, opened[index]!]));
  },
};

/**
 * Closes a queue, in place of Nest's shutdown hook. Closing a queue while it reconnects may wait forever. If it also
 * waits for its jobs, a rejection of its connection has no handler and ends the process. So this doesn't wait for jobs,
 * which are stored in their rows, and waits for Redis only for a limited time.
 */
export async function closeQueue(queue: Pick<Bull.Queue, 'close' | 'clients'>, timeout = REDIS_TIMEOUT): Promise<void> {
  await withTimeout(timeout, queue.close(true), 'Redis took too long.').catch(() => {
    for (const client of queue.clients) client.disconnect();
  });
}

/** Parses a Redis URL into options for Bull's client, which itself supports neither percent-encoding nor `rediss:`. */
export function redisOptions(address: string): NonNullable<Bull.QueueOptions['redis']> & object {
  const url = new URL(address);
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || 6379),
    db: Number(url.pathname.slice(1) || 0),
    ...(url.username ? { username: decodeURIComponent(url.username) } : {}),
    ...(url.password ? { password: decodeURIComponent(url.password) } : {}),
    ...(url.protocol === 'rediss:' ? { tls: {} } : {}),
    connectTimeout: 2 * SECOND,
    // The client doesn't handle the rejection if a connection is lost again while it resubscribes, which would end the
    // process. Without subscription, `guardInterval` counts.
    autoResubscribe: false,
    retryStrategy: (tries) => Math.min(100 * tries, SECOND),
  };
}
