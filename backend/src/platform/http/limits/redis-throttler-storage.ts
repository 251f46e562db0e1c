import { ThrottlerStorageService, type ThrottlerStorage } from '@nestjs/throttler';
import { RedisConnection } from '../../redis/redis-connection.js';

type ThrottlerRecord = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/** Counts one more and lets the count end with its window, which begins with the first. */
const INCREMENT_SCRIPT = `
local hits = redis.call('INCR', KEYS[1])
if hits == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return { hits, redis.call('PTTL', KEYS[1]) }`;

/**
 * Where the general limit is counted: in Redis, so that it holds over all processes; in this process without Redis,
 * or while it does not answer.
 */
export class RedisThrottlerStorage implements ThrottlerStorage {
  private readonly fallback = new ThrottlerStorageService();

  constructor(private readonly redis: RedisConnection) {}

  async increment(key: string, ttl: number, limit: number, blockFor: number, name: string): Promise<ThrottlerRecord> {
    if (!this.redis.isUsed) return this.fallback.increment(key, ttl, limit, blockFor, name);
    try {
      return await this.incrementInRedis(key, ttl, limit);
    } catch {
      return this.fallback.increment(key, ttl, limit, blockFor, name);
    }
  }

  private async incrementInRedis(key: string, ttl: number, limit: number): Promise<ThrottlerRecord> {
    const answer = await this.redis.runScript(INCREMENT_SCRIPT, [`zonary:rate:${key}`], [String(ttl)]);
    const [totalHits, left] = answer as [number, number];
    const timeToExpire = Math.max(1, Math.ceil(left / 1000));
    const isBlocked = totalHits > limit;
    return { totalHits, timeToExpire, isBlocked, timeToBlockExpire: isBlocked ? timeToExpire : 0 };
  }
}
