import { MikroORM } from '@mikro-orm/postgresql';
import { Controller, Get } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { HealthCheck, HealthCheckService, HealthIndicatorService, type HealthCheckResult } from '@nestjs/terminus';
import { SkipThrottle } from '@nestjs/throttler';
import { within } from '../clock/within.js';
import { commonErrors } from '../errors/common.errors.js';
import { Public } from '../http/access.decorator.js';
import { RedisConnection } from '../redis/redis-connection.js';
import { Readiness } from './readiness.js';

/** How long the database may take to answer, in milliseconds, before this process counts as not ready. */
const DATABASE_PATIENCE = 2000;

@ApiExcludeController()
@SkipThrottle()
@Controller()
export class HealthController {
  constructor(
    private readonly checks: HealthCheckService,
    private readonly indicators: HealthIndicatorService,
    private readonly orm: MikroORM,
    private readonly readiness: Readiness,
    private readonly redis: RedisConnection,
  ) {}

  /** The process lives: restart it when this does not answer. */
  @Get('healthz')
  @Public()
  alive(): { status: 'ok' } {
    return { status: 'ok' };
  }

  /** The process can serve: send it requests. 503 while it stops or the database does not answer. */
  @Get('readyz')
  @Public()
  @HealthCheck()
  async ready(): Promise<HealthCheckResult> {
    if (this.readiness.stopping) throw commonErrors.SERVICE_UNAVAILABLE();
    const redis = this.redis.isUsed ? [() => this.redisState()] : [];
    return this.checks.check([() => this.database(), ...redis]);
  }

  private async database() {
    const check = this.indicators.check('database');
    try {
      const answer = this.orm.em.getConnection().execute('select 1');
      await within(DATABASE_PATIENCE, answer, 'The database took too long.');
      return check.up();
    } catch {
      return check.down();
    }
  }

  /** Told, but no reason to get no requests: without Redis everything is answered as well. */
  private async redisState() {
    return this.indicators.check('redis').up({ answers: await this.redis.answers() });
  }
}
