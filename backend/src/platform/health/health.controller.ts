import { MikroORM } from '@mikro-orm/postgresql';
import { Controller, Get } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { HealthCheck, HealthCheckService, HealthIndicatorService, type HealthCheckResult } from '@nestjs/terminus';
import { SkipThrottle } from '@nestjs/throttler';
import { commonErrors } from '../errors/common.errors.js';
import { Public } from '../http/access.decorator.js';
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
    return this.checks.check([() => this.database()]);
  }

  private async database() {
    const check = this.indicators.check('database');
    let timer: NodeJS.Timeout | undefined;
    const patience = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('The database took too long.')), DATABASE_PATIENCE);
    });
    try {
      await Promise.race([this.orm.em.getConnection().execute('select 1'), patience]);
      return check.up();
    } catch {
      return check.down();
    } finally {
      clearTimeout(timer);
    }
  }
}
