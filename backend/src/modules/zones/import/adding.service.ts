import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { after, Clock, MINUTE } from '../../../platform/clock/clock.js';
import { despiteLocks, inTransaction } from '../../../platform/database/transaction.js';
import { AppError, type Language } from '../../../platform/errors/app-error.js';
import { Jobs } from '../../../platform/jobs/jobs.service.js';
import { UserService } from '../../auth/users/user.service.js';
import { AudienceService } from '../members/audience.service.js';
import { declaredConsentText } from '../consent/consent.policy.js';
import { tellLeftOver } from '../zones.jobs.js';
import type { MembershipZone } from '../zones.events.js';
import { MemberAdmission } from '../joining/member-admission.service.js';
import { UsageService } from '../../plans/usage.service.js';
import type { ImportRow } from './import-rows.js';

/** Tries of a chunk while others take places of the same plan. */
const TRIES = 20;
/** Nobody tells them any more who has not done so by now. */
const LEFT_OVER_AFTER = 15 * MINUTE;

export interface Declaration {
  readonly zone: MembershipZone;
  /** The owner, who declares that the people agreed. */
  readonly actorId: number;
  readonly ipAddress: string | null;
  readonly language: Language;
  /** Whether those who come in are told by mail. */
  readonly tell: boolean;
}

/** What came of a chunk: the addresses that came in, and those that found no place in the plan. */
export interface AddedChunk {
  readonly added: ReadonlySet<string>;
  readonly over: ReadonlySet<string>;
  /** The job that tells those who came in, should nobody do so before; null where nobody is to be told. */
  readonly tellingJob: number | null;
}

/** Makes members of people whom the owner names, without asking them: a chunk is one transaction. */
@Injectable()
export class AddingService {
  constructor(
    private readonly em: EntityManager,
    private readonly users: UserService,
    private readonly members: MemberAdmission,
    private readonly audience: AudienceService,
    private readonly usage: UsageService,
    private readonly clock: Clock,
    private readonly jobs: Jobs,
  ) {}

  /**
   * Adds people in the order of the rows until the plan is full; who counts in the owner's audience already needs no
   * place in it. Others may take places meanwhile: then the chunk is tried again with those that are left. A row that
   * somebody else holds is waited for longer than elsewhere.
   */
  async add(rows: readonly ImportRow[], declaration: Declaration): Promise<AddedChunk> {
    for (let tries = 1; ; tries++) {
      try {
        return await despiteLocks(() => inTransaction(this.em, (em) => this.write(em, rows, declaration)));
      } catch (error) {
        if (tries === TRIES || !(error instanceof AppError) || error.code !== 'PLAN_LIMIT') throw error;
      }
    }
  }

  /** Those of the rows for whom there would be a place; `taken` are places that earlier rows would have by now. */
  async fitting(em: EntityManager, ownerId: number, rows: readonly ImportRow[], taken = 0) {
    const emails = rows.map(({ email }) => email);
    const existing = await this.audience.existing(em, ownerId, emails);
    const { used, allowed } = await this.usage.state(em, ownerId, 'people');
    const room = allowed === null ? Infinity : Math.max(0, allowed - used - taken);
    const newcomers = emails.filter((email) => !existing.has(email));
    const over = new Set(newcomers.slice(Math.min(room, newcomers.length)));
    return { over, places: newcomers.length - over.size };
  }

  private async write(em: EntityManager, rows: readonly ImportRow[], declaration: Declaration): Promise<AddedChunk> {
    const { zone, actorId, ipAddress, language, tell } = declaration;
    const { over } = await this.fitting(em, zone.ownerId, rows);
    const users = await this.users.findOrCreateMany(
      em,
      rows.filter(({ email }) => !over.has(email)),
      language,
    );
    const ids = await this.members.admitMany(em, {
      zone,
      users,
      method: 'import',
      invitedById: actorId,
      declared: { ipAddress, method: 'import', text: declaredConsentText[language] },
    });
    const tellingJob = tell && ids.size > 0 ? await this.tellLater(em, zone.id, [...ids]) : null;
    return { added: new Set(users.filter(({ id }) => ids.has(id)).map(({ email }) => email)), over, tellingJob };
  }

  private tellLater(em: EntityManager, zoneId: number, userIds: number[]): Promise<number> {
    const runAt = after(this.clock.now(), LEFT_OVER_AFTER);
    return this.jobs.enqueueRevocable(em, tellLeftOver, { zoneId, userIds }, { runAt });
  }
}
