import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { addMilliseconds, Clock, DAY } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { AppError } from '../../../platform/errors/app-error.js';
import { recordFailure } from '../../../platform/errors/record-failure.js';
import type { JobContext } from '../../../platform/jobs/job-definition.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import type { JoinInput, JoinTarget } from '../link.policy.js';
import { eraseLinkVisitors } from '../links.jobs.js';
import { GeoIpService } from '../../../platform/http/networks/geo-ip.service.js';
import { LinkUsageRepository, type JoinedUser, type NewLinkUsage } from './link-usage.repository.js';

/** An attempt to join: what to record of it, or the id under which it is recorded; null if it is not recorded. */
export type AttemptRecord =
  | { readonly target: JoinTarget; readonly input: Pick<JoinInput, 'email' | 'ipAddress' | 'userAgent'> }
  | { readonly usageId: number | null };

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
    private readonly clock: Clock,
    private readonly geoIp: GeoIpService,
    private readonly config: AppConfig,
  ) {}

  /**
   * Runs an attempt or its completion. If it is rejected, records the error code outside the failed transaction and
   * rethrows the error. `work` records other outcomes in its transaction with `recordOutcome`.
   */
  async recordFailure<T>(attempt: AttemptRecord, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof AppError) {
        const { code } = error;
        const context =
          'usageId' in attempt ? attempt : { zoneId: attempt.target.zone.id, linkId: attempt.target.linkId };
        await recordFailure(this.logger, 'a rejected join', () => this.recordRejection(attempt, code), context);
      }
      throw error;
    }
  }

  /**
   * Records an outcome of an attempt, in the caller's transaction.
   * @param outcome `asked` (awaits email verification), `waiting` (for the owner), `joined` or an error code
   * @param joined the new member, for `joined`
   * @returns the id of the recorded attempt; null if it is not recorded
   */
  async recordOutcome(
    em: EntityManager,
    attempt: AttemptRecord,
    outcome: string,
    joined: JoinedUser | null = null,
  ): Promise<number | null> {
    if (!('usageId' in attempt)) {
      const usage = await this.createUsage(em, attempt, outcome, joined);
      return usage && this.usages.insertUsage(em, usage);
    }
    const { usageId } = attempt;
    if (usageId === null) return null;
    if (joined) await this.usages.updateJoined(em, usageId, joined);
    else await this.usages.updateOutcome(em, usageId, outcome);
    return usageId;
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
  private async recordRejection(attempt: AttemptRecord, code: string): Promise<void> {
    const em = this.em.fork();
    if ('usageId' in attempt) {
      await this.recordOutcome(em, attempt, code);
      return;
    }
    const usage = await this.createUsage(em, attempt, code, null);
    if (usage) await this.usages.insertUsageIfLinkExists(em, usage);
  }

  /** Returns the attempt to store; null for an attempt of somebody who manages the zone. */
  private async createUsage(
    em: EntityManager,
    { target, input }: Extract<AttemptRecord, { target: JoinTarget }>,
    outcome: string,
    joined: JoinedUser | null,
  ): Promise<NewLinkUsage | null> {
    const { zone, linkId } = target;
    const { email, ipAddress, userAgent } = input;
    if (await this.usages.isManager(em, zone.id, email)) return null;
    const location = await this.geoIp.locate(ipAddress);
    return { zoneId: zone.id, linkId, ipAddress, userAgent, location, outcome, joined };
  }
}
