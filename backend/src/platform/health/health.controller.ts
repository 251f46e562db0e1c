import { MikroORM } from '@mikro-orm/postgresql';
import { Controller, Get, Res, ServiceUnavailableException } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { HealthCheck, HealthCheckService, HealthIndicatorService, type HealthCheckResult } from '@nestjs/terminus';
import { SkipThrottle } from '@nestjs/throttler';
import type { Response } from 'express';
import { withTimeout } from '../clock/with-timeout.js';
import { pingDatabase } from '../database/ping-database.js';
import { commonErrors } from '../errors/common.errors.js';
import { Public } from '../http/access.decorator.js';
import { RedisConnection } from '../redis/redis-connection.js';
import { DiskReserve } from '../storage/disk-reserve.js';
import { StorageOwnershipGuard } from '../storage/ownership/storage-ownership-guard.js';
import type { StorageState } from '../storage/ownership/storage-rejections.js';
import { Readiness } from './readiness.js';

/** How long the database may take to respond before this process counts as not ready, in milliseconds. */
const DATABASE_TIMEOUT = 2000;
/** The same for the storage, because a network disk may never respond. */
const STORAGE_TIMEOUT = 2000;

/** Public reasons for a rejected storage. Its address and the full message are only logged. */
const REASONS = {
  missing: 'The mark of this installation is not at STORAGE_URL: its disk is not mounted, or it is another place.',
  foreign: 'STORAGE_URL leads to the storage of another installation.',
  later: 'The storage has been used by a later state of the database than this one.',
  'in-use': 'Another installation, a copy of this one or its original, is using the storage now.',
  unreachable: 'The storage does not answer.',
} as const;

@ApiExcludeController()
@SkipThrottle()
@Controller()
export class HealthController {
  private readonly indicators = new HealthIndicatorService();

  constructor(
    private readonly checks: HealthCheckService,
    private readonly orm: MikroORM,
    private readonly readiness: Readiness,
    private readonly redis: RedisConnection,
    private readonly storageOwnership: StorageOwnershipGuard,
    private readonly disk: DiskReserve,
  ) {}

  /** Liveness: restart the process when this doesn't respond. */
  @Get('healthz')
  @Public()
  alive(): { status: 'ok' } {
    return { status: 'ok' };
  }

  /**
   * Readiness: whether to send requests to this process. Returns 503 while it stops, after it was stalled, while the
   * database doesn't respond, and while STORAGE_URL doesn't lead to the storage of this installation.
   */
  @Get('readyz')
  @Public()
  @HealthCheck()
  async ready(@Res({ passthrough: true }) response: Response): Promise<HealthCheckResult> {
    if (!this.readiness.isReady) throw commonErrors.SERVICE_UNAVAILABLE();
    const redis = this.redis.isUsed ? [() => this.checkRedis()] : [];
    try {
      return await this.checks.check([
        () => this.checkDatabase(),
        ...redis,
        () => this.checkStorage(),
        () => this.checkDisk(),
      ]);
    } catch (error) {
      if (!(error instanceof ServiceUnavailableException)) throw error;
      // Failed checks are returned with their details, too.
      response.status(503);
      return error.getResponse() as HealthCheckResult;
    }
  }

  private async checkDatabase() {
    const check = this.indicators.check('database');
    try {
      await withTimeout(DATABASE_TIMEOUT, pingDatabase(this.orm), 'The database took too long.');
      return check.up();
    } catch {
      return check.down();
    }
  }

  /**
   * A storage that is temporarily unreachable is reported, but the process stays ready: many requests don't need it.
   */
  private async checkStorage() {
    const check = this.indicators.check('storage');
    const unreachable: StorageState = { kind: 'unreachable', sentence: 'The storage took too long to answer.' };
    const state = await withTimeout(STORAGE_TIMEOUT, this.storageOwnership.checkState(), unreachable.sentence).catch(
      () => unreachable,
    );
    if (state.kind === 'own') return check.up();
    const details = { state: state.kind, reason: REASONS[state.kind] };
    return state.kind === 'unreachable' ? check.up(details) : check.down(details);
  }

  /** Free bytes on the fullest disk. At the reserve, uploads are rejected and everything else continues. */
  private async checkDisk() {
    const timeoutError = new Error('The disk took too long to answer.');
    const space = await withTimeout(STORAGE_TIMEOUT, this.disk.findFullestDisk(), timeoutError.message).catch(
      () => null,
    );
    const details: { freeBytes: number | null; reserveBytes: number | null } = {
      freeBytes: space?.free ?? null,
      reserveBytes: space?.reserve ?? null,
    };
    return this.indicators.check('disk').up(details);
  }

  /** Reported, but the process stays ready: all requests work without Redis. */
  private async checkRedis() {
    return this.indicators.check('redis').up({ answers: await this.redis.isAnswering() });
  }
}
