import type Bull from 'bull';
import { setImmediate as turn } from 'node:timers/promises';
import {
  bullQueuesProvider,
  closeQueue,
  ignoreSubscribeRejections,
  redisOptions,
  type JobMessage,
} from './bull-queues.js';

describe('the address of Redis', () => {
  it('names host, port and database', () => {
    expect(redisOptions('redis://cache.example:6380/3')).toMatchObject({ host: 'cache.example', port: 6380, db: 3 });
    expect(redisOptions('redis://localhost')).toMatchObject({ host: 'localhost', port: 6379, db: 0 });
    expect(redisOptions('redis://localhost')).not.toHaveProperty('tls');
    expect(redisOptions('redis://[::1]:6379')).toMatchObject({ host: '::1' });
  });

  it('holds who signs in, escapes included, and asks for TLS', () => {
    const options = redisOptions('rediss://worker:p%40ss%3Aword@cache.example');
    expect(options).toMatchObject({ username: 'worker', password: 'p@ss:word', tls: {} });
  });
});

describe('a queue at the stop', () => {
  /** Shuts down a queue as Nest creates it, and tells whether its client was disconnected. */
  const shutDown = (close: Bull.Queue['close']) => {
    const client = { isConnected: true, disconnect: () => void (client.isConnected = false) };
    const queue = { close, clients: [client], onApplicationShutdown: () => close() };
    bullQueuesProvider.useFactory(...([queue] as unknown as Bull.Queue<JobMessage>[]));
    return { client, ended: Promise.resolve(queue.onApplicationShutdown()) };
  };

  it('does not wait for its jobs', async () => {
    const asked: unknown[] = [];
    const { client, ended } = shutDown(async (doNotWait) => void asked.push(doNotWait));
    await ended;
    expect([asked, client.isConnected]).toEqual([[true], true]);
  });

  it('that fails because it was connecting anew is let go', async () => {
    const { client, ended } = shutDown(() => Promise.reject(new Error('Connection is closed.')));
    await expect(ended).resolves.toBeUndefined();
    expect(client.isConnected).toBe(false);
  });

  it('that never answers is let go', async () => {
    let isConnected = true;
    const client = { disconnect: () => void (isConnected = false) };
    const queue = { close: () => new Promise(() => undefined), clients: [client] };
    await closeQueue(queue as unknown as Bull.Queue, 1);
    expect(isConnected).toBe(false);
  });
});

describe('a subscription that is refused', () => {
  const refuse = () => Promise.reject(new Error('Connection is closed.'));

  it('ends nobody when the connection has asked by itself', async () => {
    const eclient = { subscribe: refuse, psubscribe: refuse };
    ignoreSubscribeRejections({ eclient });
    const unheard: unknown[] = [];
    const note = (reason: unknown) => void unheard.push(reason);
    process.on('unhandledRejection', note);
    try {
      void eclient.subscribe();
      void eclient.psubscribe();
      await turn();
      await turn();
      expect(unheard).toEqual([]);
    } finally {
      process.off('unhandledRejection', note);
    }
  });

  it('is told to whoever subscribes', async () => {
    const eclient = { subscribe: refuse, psubscribe: () => Promise.resolve(1) };
    ignoreSubscribeRejections({ eclient });
    await expect(eclient.subscribe()).rejects.toThrow('Connection is closed.');
    await expect(eclient.psubscribe()).resolves.toBe(1);
  });
});
