import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { addMilliseconds, Clock, MINUTE } from '../../../platform/clock/clock.js';
import { retryOnLockTimeout, inTransaction } from '../../../platform/database/transaction.js';
import { AppError, type Language } from '../../../platform/errors/app-error.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import { UserService } from '../../auth/users/user.service.js';
import { AudienceService } from '../members/audience.service.js';
import { declaredConsentText } from '../consent/consent.policy.js';
import { notifyUnnotifiedMembers } from '../zones.jobs.js';
import type { MembershipZone } from '../zones.events.js';
import { MembershipService } from '../joining/membership.service.js';
import { UsageService } from '../../plans/usage.service.js';
import type { ImportRow } from './import-rows.js';

/** Tries of a chunk while others take places of the same plan. */
const MAX_ATTEMPTS = 20;
/** Nobody tells them any more who has not done so by now. */
const NOTIFY_FALLBACK_AFTER = 15 * MINUTE;

export interface ImportContext {
  readonly zone: MembershipZone;
  /** The owner, who declares that the people agreed. */
  readonly actorId: number;
  readonly ipAddress: string | null;
  readonly language: Language;
  /** Whether those who come in are told by mail. */
  readonly notify: boolean;
}

/** What came of a chunk: the addresses that came in, and those that found no place in the plan. */
export interface AddChunkResult {
  readonly added: ReadonlySet<string>;
  readonly overLimit: ReadonlySet<string>;
  /** The job that tells those who came in, should nobody do so before; null where nobody is to be told. */
  readonly notificationJobId: number | null;
}

/** Makes members of people whom the owner names, without asking them: a chunk is one transaction. */
@Injectable()
export class ImportAddService {
  constructor(
    private readonly em: EntityManager,
    private readonly users: UserService,
    private readonly membership: MembershipService,
    private readonly audience: AudienceService,
    private readonly usage: UsageService,
    private readonly clock: Clock,
    private readonly jobs: JobsService,
  ) {}

  /**
   * Adds people in the order of the rows until the plan is full; who counts in the owner's audience already needs no
   * place in it. Others may take places meanwhile: then the chunk is tried again with those that are left. A row that
   * somebody else holds is waited for longer than elsewhere.
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

  /** Those of the rows for whom there would be a place; `taken` are places that earlier rows would have by now. */
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
    const tellingJob = notify && ids.size > 0 ? await this.scheduleNotification(em, zone.id, [...ids]) : null;
    return {
      added: new Set(users.filter(({ id }) => ids.has(id)).map(({ email }) => email)),
      overLimit: over,
      notificationJobId: tellingJob,
    };
  }

  private scheduleNotification(em: EntityManager, zoneId: number, userIds: number[]): Promise<number> {
    const runAt = addMilliseconds(this.clock.now(), NOTIFY_FALLBACK_AFTER);
    return this.jobs.enqueueRevocable(em, notifyUnnotifiedMembers, { zoneId, userIds }, { runAt });
  }
}
