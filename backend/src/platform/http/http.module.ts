import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { ThrottlerModule } from '@nestjs/throttler';
import { LoggerModule } from 'nestjs-pino';
import { AppConfig } from '../config/app-config.js';
import { MINUTE } from '../clock/clock.js';
import { RedisConnection } from '../redis/redis-connection.js';
import { RedisModule } from '../redis/redis.module.js';
import { BodyTypeGuard } from './body-type.guard.js';
import { CrossSiteGuard } from './cross-site.guard.js';
import { ErrorFilter } from './error.filter.js';
import { GeneralRateGuard } from './general-rate.guard.js';
import { AppLogger, loggingOptions } from './logging.js';
import { PageFacts } from './page/page-facts.js';
import { RateLimit } from './rate-limit.entity.js';
import { RateLimits } from './rate-limits.service.js';
import { RequestMetrics } from './request-metrics.js';
import { SharedRateStorage } from './shared-rate-storage.js';
import { StorableTextGuard } from './storable-text.guard.js';

/** Requests that one address may make in a minute, over everything. */
const REQUESTS_A_MINUTE = 600;

@Global()
@Module({
  imports: [
    RedisModule,
    MikroOrmModule.forFeature([RateLimit]),
    LoggerModule.forRootAsync({ inject: [AppConfig], useFactory: loggingOptions }),
    ThrottlerModule.forRootAsync({
      inject: [RedisConnection],
      useFactory: (redis: RedisConnection) => ({
        throttlers: [{ ttl: MINUTE, limit: REQUESTS_A_MINUTE }],
        storage: new SharedRateStorage(redis),
      }),
    }),
  ],
  providers: [
    AppLogger,
    PageFacts,
    RateLimits,
    RequestMetrics,
    { provide: APP_FILTER, useClass: ErrorFilter },
    { provide: APP_GUARD, useClass: GeneralRateGuard },
    { provide: APP_GUARD, useClass: CrossSiteGuard },
    { provide: APP_GUARD, useClass: BodyTypeGuard },
    { provide: APP_GUARD, useClass: StorableTextGuard },
  ],
  exports: [AppLogger, PageFacts, RateLimits, RequestMetrics],
})
export class HttpModule {}
