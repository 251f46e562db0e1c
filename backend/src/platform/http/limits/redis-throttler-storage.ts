import { ThrottlerStorageService, type ThrottlerStorage } from '@nestjs/throttler';
import { RedisConnection } from '../../redis/redis-connection.js';

type ThrottlerRecord = Awaited<ReturnType<ThrottlerStorage['increment']>>;

/** Increments the count, which expires with its window; the first hit starts the window. */
const INCREMENT_SCRIPT = `
local hits = redis.call('INCR', KEYS[1])
if hits == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return { hits, redis.call('PTTL', KEYS[1]) }`;

/**
 * Storage of the general rate limit: Redis, to count across all processes; this process's memory without Redis or while
 * it doesn't respond.
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
    const response = await this.redis.runScript(INCREMENT_SCRIPT, [`zonary:rate:${key}`], [String(ttl)]);
    const [totalHits, left] = response as [number, number];
    const timeToExpire = Math.max(1, Math.ceil(left / 1000));
    const isBlocked = totalHits > limit;
    return { totalHits, timeToExpire, isBlocked, timeToBlockExpire: isBlocked ? timeToExpire : 0 };
  }
}
