import { BullModule, getQueueToken } from '@nestjs/bull';
import type { DynamicModule, FactoryProvider } from '@nestjs/common';
import type Bull from 'bull';
import { SECOND } from '../../clock/clock.js';
import { withTimeout } from '../../clock/with-timeout.js';
import { queues, type QueueName } from '../queues.js';

/** What a message says: which job is due. Everything else stands in its row. */
export interface JobMessage {
  readonly id: number;
}

/** How long Redis may take for an answer, in milliseconds: a dead one would never give any. */
export const REDIS_TIMEOUT = 2 * SECOND;

/** The queues of messages in Redis, one for each queue of jobs. */
export type BullQueues = ReadonlyMap<QueueName, Bull.Queue<JobMessage>>;
export const BULL_QUEUES = Symbol('BULL_QUEUES');

const queueNames = Object.keys(queues) as QueueName[];

/** A message is used up whatever becomes of it: whether the job is tried again stands in its row. */
const defaultJobOptions: Bull.JobOptions = { attempts: 1, removeOnComplete: true, removeOnFail: true };

/** The module that opens the queues in Redis at `url`; for workers only, others would open connections for nothing. */
export function createBullModule(url: string): DynamicModule {
  const redis = redisOptions(url);
  return BullModule.registerQueue(
    ...queueNames.map((name) => ({
      ...{ name, prefix: 'zonary', redis, defaultJobOptions },
      settings: { retryProcessDelay: SECOND },
    })),
  );
}

export const bullQueuesProvider: FactoryProvider<BullQueues> = {
  provide: BULL_QUEUES,
  inject: queueNames.map((name) => getQueueToken(name)),
  useFactory: (...opened: Bull.Queue<JobMessage>[]) => {
    for (const queue of opened) Object.assign(queue, { onApplicationShutdown: () => closeQueue(queue) });
    return new Map(queueNames.map((name, at) => [name, opened[at]!]));
  },
};

/**
 * Ends the connections of a queue, in the place of what Nest does at the stop. A queue that is closed while it connects anew may
 * wait for ever; and when it is to wait for its jobs, the refusal of its connection meanwhile is heard by nobody, which ends
 * the process. So the jobs, which stand in their rows, are not waited for, and Redis only so long.
 */
export async function closeQueue(queue: Pick<Bull.Queue, 'close' | 'clients'>, timeout = REDIS_TIMEOUT): Promise<void> {
  await withTimeout(timeout, queue.close(true), 'Redis took too long.').catch(() => {
    for (const client of queue.clients) client.disconnect();
  });
}

type SubscribeCommand = (...channels: string[]) => Promise<unknown>;

/** The connection of a queue over which it hears of events; Bull opens it when it is first looked at. */
export interface BullSubscriber {
  readonly eclient: { subscribe: SubscribeCommand; psubscribe: SubscribeCommand };
}

/**
 * Lets the refusal of what that connection asks by itself end nobody. Once Redis is back it subscribes anew, and when it is
 * ended before the answer, as at a stop soon after, that promise is held by nobody: its refusal would end the process.
 * Whoever subscribes hears of a failure as before.
 */
export function ignoreSubscribeRejections({ eclient }: BullSubscriber): void {
  for (const name of ['subscribe', 'psubscribe'] as const) {
    const subscribe = eclient[name].bind(eclient);
    eclient[name] = (...channels) => {
      const answer = subscribe(...channels);
      answer.catch(() => undefined);
      return answer;
    };
  }
}

/** What the client of Bull makes of an address: it reads neither escapes nor `rediss:` by itself. */
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
    retryStrategy: (tries) => Math.min(100 * tries, SECOND),
  };
}
