import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Global, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD } from '@nestjs/core';
import { ThrottlerModule } from '@nestjs/throttler';
import { LoggerModule } from 'nestjs-pino';
import { AppConfig } from '../config/app-config.js';
import { MINUTE } from '../clock/clock.js';
import { RedisConnection } from '../redis/redis-connection.js';
import { RedisModule } from '../redis/redis.module.js';
import { BodyTypeGuard } from './parsing/body-type.guard.js';
import { CrossSiteGuard } from './csrf/cross-site.guard.js';
import { EventStreamsService, EventStreamTimings } from './event-streams/event-streams.service.js';
import { ErrorFilter } from './errors/error.filter.js';
import { GeneralRateGuard } from './limits/general-rate.guard.js';
import { hasThumbnailRate } from './limits/thumbnail-rate.decorator.js';
import { AppLogger, loggingOptions } from './observability/logging.js';
import { NetworkLimitGuard } from './networks/network-limit.decorator.js';
import { GeoIpService } from './networks/geo-ip.service.js';
import { ProofOfWorkService } from './networks/proof-of-work.service.js';
import { ProofOfWorkGuard } from './networks/proof-of-work.decorator.js';
import { PrerenderRegistry } from './page/prerender-registry.js';
import { RateLimit } from './limits/rate-limit.entity.js';
import { RateLimitRepository } from './limits/rate-limit.repository.js';
import { RateLimitService } from './limits/rate-limit.service.js';
import { RequestMetrics } from './observability/request-metrics.js';
import { RedisThrottlerStorage } from './limits/redis-throttler-storage.js';
import { StorableTextGuard } from './parsing/storable-text.js';

/** Requests per minute from one address, excluding thumbnails. */
const REQUESTS_PER_MINUTE = 600;

/** Thumbnail requests per minute from one address. */
const THUMBNAILS_PER_MINUTE = 3000;

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
          { ttl: MINUTE, limit: REQUESTS_PER_MINUTE },
          {
            name: 'pictures',
            ttl: MINUTE,
            limit: THUMBNAILS_PER_MINUTE,
            skipIf: (context) => !hasThumbnailRate(context),
          },
        ],
        storage: new RedisThrottlerStorage(redis),
      }),
    }),
  ],
  providers: [
    AppLogger,
    EventStreamsService,
    EventStreamTimings,
    GeoIpService,
    PrerenderRegistry,
    RateLimitRepository,
    RateLimitService,
    RequestMetrics,
    ProofOfWorkService,
    { provide: APP_FILTER, useClass: ErrorFilter },
    { provide: APP_GUARD, useClass: GeneralRateGuard },
    { provide: APP_GUARD, useClass: CrossSiteGuard },
    { provide: APP_GUARD, useClass: BodyTypeGuard },
    { provide: APP_GUARD, useClass: StorableTextGuard },
    { provide: APP_GUARD, useClass: ProofOfWorkGuard },
    { provide: APP_GUARD, useClass: NetworkLimitGuard },
  ],
  exports: [
    AppLogger,
    EventStreamsService,
    GeoIpService,
    PrerenderRegistry,
    RateLimitRepository,
    RateLimitService,
    RequestMetrics,
  ],
})
export class HttpModule {}
