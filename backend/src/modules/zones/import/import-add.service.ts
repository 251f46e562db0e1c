import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { addMilliseconds, Clock, MINUTE } from '../../../platform/clock/clock.js';
import { retryOnLockTimeout, inTransaction } from '../../../platform/database/transaction.js';
import { AppError, type Language } from '../../../platform/errors/app-error.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { UserRepository } from '../../auth/users/user.repository.js';
import { AudienceRepository } from '../members/audience.repository.js';
import { declaredConsentText } from '../consent/consent.policy.js';
import { notifyUnnotifiedMembers } from '../zones.jobs.js';
import type { MembershipZone } from '../zones.events.js';
import { MembershipService } from '../joining/membership.service.js';
import { UsageService } from '../../plans/usage.service.js';
import type { ImportRow } from './import-rows.js';

/** Attempts per chunk while concurrent requests use up the same plan limit. */
const MAX_ATTEMPTS = 20;
/** If the import has not sent the notifications by then, the fallback job does. */
const NOTIFY_FALLBACK_AFTER = 15 * MINUTE;

export interface ImportContext {
  readonly zone: MembershipZone;
  /** The owner, who declares that the people gave their consent. */
  readonly actorId: number;
  readonly ipAddress: string | null;
  readonly language: Language;
  /** Whether added people are notified by email. */
  readonly notify: boolean;
}

/** Result of a chunk: addresses that were added, and those that exceeded the plan limit. */
export interface AddChunkResult {
  readonly added: ReadonlySet<string>;
  readonly overLimit: ReadonlySet<string>;
  /** Id of the job that notifies the added people if the import does not; null if no one is to be notified. */
  readonly notificationJobId: number | null;
}

/** Adds people named by the owner as members without asking them, in one transaction per chunk. */
@Injectable()
export class ImportAddService {
  constructor(
    private readonly em: EntityManager,
    private readonly users: UserRepository,
    private readonly membership: MembershipService,
    private readonly audience: AudienceRepository,
    private readonly usage: UsageService,
    private readonly clock: Clock,
    private readonly jobs: JobsService,
  ) {}

  /**
   * Adds people in row order until the plan limit is reached. People who already count in the owner's audience need no
   * extra quota. If concurrent requests use up the quota, the chunk is retried with what is left. Waits longer than
   * usual for locked rows.
   */
  async addMembers(rows: readonly ImportRow[], declaration: ImportContext): Promise<AddChunkResult> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await retryOnLockTimeout(() => inTransaction(this.em, (em) => this.addChunk(em, rows, declaration)));
      } catch (error) {
        if (attempt === MAX_ATTEMPTS || !(error instanceof AppError) || error.code !== 'PLAN_LIMIT') throw error;
      }
    }
  }

  /**
   * Determines which rows exceed the plan limit.
   * @param reserved quota that earlier rows would have used
   */
  async findFitting(em: EntityManager, ownerId: number, rows: readonly ImportRow[], reserved = 0) {
    const emails = rows.map(({ email }) => email);
    const existing = await this.audience.findCountedEmails(em, ownerId, emails);
    const { used, allowed } = await this.usage.getUsage(em, ownerId, 'people');
    const room = allowed === null ? Infinity : Math.max(0, allowed - used - reserved);
    const newcomers = emails.filter((email) => !existing.has(email));
    const over = new Set(newcomers.slice(Math.min(room, newcomers.length)));
    return { over, places: newcomers.length - over.size };
  }

  private async addChunk(
    em: EntityManager,
    rows: readonly ImportRow[],
    declaration: ImportContext,
  ): Promise<AddChunkResult> {
    const { zone, actorId, ipAddress, language, notify } = declaration;
    const { over } = await this.findFitting(em, zone.ownerId, rows);
    const users = await this.users.findOrCreateManyUnverified(
      em,
      rows.filter(({ email }) => !over.has(email)),
      language,
    );
    const ids = await this.membership.addMembers(em, {
      zone,
      users,
      method: 'import',
      invitedById: actorId,
      declaredConsent: { ipAddress, method: 'import', text: declaredConsentText[language] },
    });
    const notificationJobId = notify && ids.size > 0 ? await this.scheduleNotification(em, zone.id, [...ids]) : null;
    return {
      added: new Set(users.filter(({ id }) => ids.has(id)).map(({ email }) => email)),
      overLimit: over,
      notificationJobId,
    };
  }

  private scheduleNotification(em: EntityManager, zoneId: number, userIds: number[]): Promise<number> {
    const runAt = addMilliseconds(this.clock.now(), NOTIFY_FALLBACK_AFTER);
    return this.jobs.enqueueRevocable(em, notifyUnnotifiedMembers, { zoneId, userIds }, { runAt });
  }
}
