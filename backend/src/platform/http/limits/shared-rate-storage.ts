import { ThrottlerStorageService, type ThrottlerStorage } from '@nestjs/throttler';
import { RedisConnection } from '../../redis/redis-connection.js';

type Counted = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/** Counts one more and lets the count end with its window, which begins with the first. */
const COUNT = `
local hits = redis.call('INCR', KEYS[1])
if hits == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return { hits, redis.call('PTTL', KEYS[1]) }`;

/**
 * Where the general limit is counted: in Redis, so that it holds over all processes; in this process without Redis,
 * or while it does not answer.
 */
export class SharedRateStorage implements ThrottlerStorage {
  private readonly local = new ThrottlerStorageService();

  constructor(private readonly redis: RedisConnection) {}

  async increment(key: string, ttl: number, limit: number, blockFor: number, name: string): Promise<Counted> {
    if (!this.redis.isUsed) return this.local.increment(key, ttl, limit, blockFor, name);
    try {
      return await this.count(key, ttl, limit);
    } catch {
      return this.local.increment(key, ttl, limit, blockFor, name);
    }
  }

  private async count(key: string, ttl: number, limit: number): Promise<Counted> {
    const answer = await this.redis.run(COUNT, [`zonary:rate:${key}`], [String(ttl)]);
    const [totalHits, left] = answer as [number, number];
    const timeToExpire = Math.max(1, Math.ceil(left / 1000));
    const isBlocked = totalHits > limit;
    return { totalHits, timeToExpire, isBlocked, timeToBlockExpire: isBlocked ? timeToExpire : 0 };
  }
}
