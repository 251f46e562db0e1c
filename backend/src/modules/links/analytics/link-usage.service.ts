import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { addMilliseconds, Clock, DAY } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { recordFailure } from '../../../platform/errors/record-failure.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { LinkZoneRepository } from '../link-zone.repository.js';
import { eraseLinkVisitors } from '../links.jobs.js';
import { GeoIpService } from '../../../platform/http/networks/geo-ip.service.js';
import { LinkUsageRepository, type JoinedUser, type NewLinkUsage } from './link-usage.repository.js';

/** The link and origin of a join attempt. */
export interface JoinAttemptRecord {
  readonly zoneId: number;
  /** Null for the public link. */
  readonly linkId: number | null;
  /** Address of the person who wants to join, in lower case. */
  readonly email: string;
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
}

const BATCH_SIZE = 5000;

/**
 * Records every attempt to join by a link. Attempts by the owner and zone admins, who try their own links, are not
 * recorded.
 */
@Injectable()
export class LinkUsageService {
  private readonly logger = new Logger('Links');

  constructor(
    private readonly em: EntityManager,
    private readonly usages: LinkUsageRepository,
    private readonly zones: LinkZoneRepository,
    private readonly clock: Clock,
    private readonly geoIp: GeoIpService,
    private readonly config: AppConfig,
  ) {}

  /**
   * Records an attempt that awaits email verification or the owner's approval.
   * @returns its id; null if it is not recorded
   */
  async recordAttempt(
    em: EntityManager,
    attempt: JoinAttemptRecord,
    outcome: 'asked' | 'waiting',
  ): Promise<number | null> {
    const usage = await this.createUsage(em, attempt, outcome, null);
    return usage && this.usages.insertUsage(em, usage);
  }

  /** Records an attempt that immediately led to a membership, in the same transaction. */
  async recordJoin(em: EntityManager, attempt: JoinAttemptRecord, joined: JoinedUser): Promise<void> {
    const usage = await this.createUsage(em, attempt, 'joined', joined);
    if (usage) await this.usages.insertUsage(em, usage);
  }

  /**
   * Runs an attempt. If it is rejected, records the error code outside the failed transaction and rethrows the error.
   */
  async recordFailure<T>(attempt: JoinAttemptRecord, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof AppError) {
        const { code } = error;
        const { zoneId, linkId } = attempt;
        await recordFailure(this.logger, 'a rejected join', () => this.recordRejection(attempt, code), {
          zoneId,
          linkId,
        });
      }
      throw error;
    }
  }

  /** Works in batches, so that no row stays locked for long; the country is kept. */
  @OnJob(eraseLinkVisitors)
  async eraseVisitorDetails(_payload: object, { signal }: JobContext): Promise<void> {
    const days = this.config.retention.ips;
    if (days === 0) return;
    const end = addMilliseconds(this.clock.now(), -days * DAY);
    for (let full = true; full;) {
      signal.throwIfAborted();
      full = (await this.usages.eraseVisitorDetails(end, BATCH_SIZE)) === BATCH_SIZE;
    }
  }

  /** Records nothing if the link or its zone was deleted in the meantime. */
  private async recordRejection(attempt: JoinAttemptRecord, outcome: string): Promise<void> {
    const em = this.em.fork();
    const usage = await this.createUsage(em, attempt, outcome, null);
    if (usage) await this.usages.insertUsageIfLinkExists(em, usage);
  }

  /**
   * Runs the completion of an earlier attempt. If it is rejected, records the error code on the attempt and rethrows
   * the error.
   */
  async recordFailureOf<T>(id: number, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof AppError) {
        const { code } = error;
        const record = () => this.usages.updateOutcome(this.em.fork(), id, code);
        await recordFailure(this.logger, 'a rejected join', record, { usageId: id });
      }
      throw error;
    }
  }

  /** Returns the attempt to store; null for an attempt of somebody who manages the zone. */
  private async createUsage(
    em: EntityManager,
    { zoneId, linkId, email, ipAddress, userAgent }: JoinAttemptRecord,
    outcome: string,
    joined: JoinedUser | null,
  ): Promise<NewLinkUsage | null> {
    if (await this.zones.isManager(em, zoneId, email)) return null;
    const location = await this.geoIp.locate(ipAddress);
    return { zoneId, linkId, ipAddress, userAgent, location, outcome, joined };
  }
}
