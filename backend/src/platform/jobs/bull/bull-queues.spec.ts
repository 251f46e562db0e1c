import type Bull from 'bull';
import { bullQueuesProvider, closeQueue, redisOptions, type JobMessage } from './bull-queues.js';

describe('redisOptions', () => {
  it('parses host, port and database', () => {
    expect(redisOptions('redis://cache.example:6380/3')).toMatchObject({ host: 'cache.example', port: 6380, db: 3 });
    expect(redisOptions('redis://localhost')).toMatchObject({ host: 'localhost', port: 6379, db: 0 });
    expect(redisOptions('redis://localhost')).not.toHaveProperty('tls');
    expect(redisOptions('redis://[::1]:6379')).toMatchObject({ host: '::1' });
  });

  it('parses credentials with escapes and enables TLS', () => {
    const options = redisOptions('rediss://worker:p%40ss%3Aword@cache.example');
    expect(options).toMatchObject({ username: 'worker', password: 'p@ss:word', tls: {} });
  });
});

describe('Queue shutdown', () => {
  /** Shuts down a queue as Nest creates it, and tells whether its client was disconnected. */
  const shutDown = (close: Bull.Queue['close']) => {
    const client = { isConnected: true, disconnect: () => void (client.isConnected = false) };
    const queue = { close, clients: [client], onApplicationShutdown: () => close() };
    void bullQueuesProvider.useFactory(...([queue] as unknown as Bull.Queue<JobMessage>[]));
    return { client, ended: Promise.resolve(queue.onApplicationShutdown()) };
  };

  it('does not wait for running jobs', async () => {
    const calls: unknown[] = [];
    const { client, ended } = shutDown(async (doNotWait) => void calls.push(doNotWait));
    await ended;
    expect([calls, client.isConnected]).toEqual([[true], true]);
  });

  it('tolerates an error while reconnecting', async () => {
    const { client, ended } = shutDown(() => Promise.reject(new Error('Connection is closed.')));
    await expect(ended).resolves.toBeUndefined();
    expect(client.isConnected).toBe(false);
  });

  it('disconnects a queue that never responds', async () => {
    let isConnected = true;
    const client = { disconnect: () => void (isConnected = false) };
    const queue = { close: () => new Promise(() => undefined), clients: [client] };
    await closeQueue(queue as unknown as Bull.Queue, 1);
    expect(isConnected).toBe(false);
  });
});
