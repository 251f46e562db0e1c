import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { ThrottlerModule } from '@nestjs/throttler';
import { LoggerModule } from 'nestjs-pino';
import { AppConfig } from '../config/app-config.js';
import { MINUTE } from '../clock/clock.js';
import { RedisConnection } from '../redis/redis-connection.js';
import { RedisModule } from '../redis/redis.module.js';
import { BodyTypeGuard } from './reading/body-type.guard.js';
import { CrossSiteGuard } from './origins/cross-site.guard.js';
import { EventStreams, EventStreamTimings } from './event-streams/event-streams.service.js';
import { ErrorFilter } from './errors/error.filter.js';
import { GeneralRateGuard } from './limits/general-rate.guard.js';
import { sendsPictures } from './limits/picture-rate.decorator.js';
import { AppLogger, loggingOptions } from './watching/logging.js';
import { NetworkLimitGuard } from './networks/network-limit.decorator.js';
import { GeoIp } from './networks/geo-ip.service.js';
import { WorkProofs } from './networks/work-proofs.service.js';
import { WorkGuard } from './networks/asks-for-work.decorator.js';
import { PageFacts } from './page/page-facts.js';
import { RateLimit } from './limits/rate-limit.entity.js';
import { RateLimits } from './limits/rate-limits.service.js';
import { RequestMetrics } from './watching/request-metrics.js';
import { SharedRateStorage } from './limits/shared-rate-storage.js';
import { StorableTextGuard } from './reading/storable-text.js';

/** Requests that one address may make in a minute, over everything but small pictures. */
const REQUESTS_A_MINUTE = 600;

/** Small pictures of files that one address may ask for in a minute. */
const PICTURES_A_MINUTE = 3000;

@Global()
@Module({
  imports: [
    RedisModule,
    MikroOrmModule.forFeature([RateLimit]),
    LoggerModule.forRootAsync({ inject: [AppConfig], useFactory: loggingOptions }),
    ThrottlerModule.forRootAsync({
      inject: [RedisConnection],
      useFactory: (redis: RedisConnection) => ({
        throttlers: [
          { ttl: MINUTE, limit: REQUESTS_A_MINUTE },
          {
            ...{ name: 'pictures', ttl: MINUTE, limit: PICTURES_A_MINUTE },
            skipIf: (context) => !sendsPictures(context),
          },
        ],
        storage: new SharedRateStorage(redis),
      }),
    }),
  ],
  providers: [
    AppLogger,
    EventStreams,
    EventStreamTimings,
    GeoIp,
    PageFacts,
    RateLimits,
    RequestMetrics,
    WorkProofs,
    { provide: APP_FILTER, useClass: ErrorFilter },
    { provide: APP_GUARD, useClass: GeneralRateGuard },
    { provide: APP_GUARD, useClass: CrossSiteGuard },
    { provide: APP_GUARD, useClass: BodyTypeGuard },
    { provide: APP_GUARD, useClass: StorableTextGuard },
    { provide: APP_GUARD, useClass: WorkGuard },
    { provide: APP_GUARD, useClass: NetworkLimitGuard },
  ],
  exports: [AppLogger, EventStreams, GeoIp, PageFacts, RateLimits, RequestMetrics],
})
export class HttpModule {}
