import { redisOptions } from './bull-queues.js';

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
