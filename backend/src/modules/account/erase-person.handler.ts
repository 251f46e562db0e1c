import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Audit } from '../../platform/audit/audit.service.js';
import { after, Clock, SECOND } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import { inTransaction } from '../../platform/database/transaction.js';
import type { JobContext } from '../../platform/jobs/job-definition.js';
import { JobHandler } from '../../platform/jobs/job-handler.decorator.js';
import { Jobs } from '../../platform/jobs/jobs.service.js';
import { UserSchema } from '../auth/entities/user.entity.js';
import { PersonalDataPort } from '../auth/personal-data.port.js';
import { erasePerson } from './erase-person.job.js';
import { Erasure } from './erasure.entity.js';
import { tellAccountDeleted } from './tell-account-deleted.job.js';

/** How soon it is looked again whether the jobs of other modules have ended. */
export const LOOK_AGAIN = 10 * SECOND;

/**
 * Every step can be done again: the modules remove what they hold, then, in one transaction, the record of what
 * happened loses the person, the row goes, and the farewell is written. Killed anywhere, the next try goes on.
 */
@Injectable()
@JobHandler(erasePerson)
export class ErasePersonHandler {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly port: PersonalDataPort,
    private readonly jobs: Jobs,
    private readonly audit: Audit,
  ) {}

  async handle({ userId }: { userId: number }, { signal }: JobContext): Promise<void> {
    const erasure = await this.em.findOne(Erasure, { userId });
    if (!erasure) return;
    const { email, requestedAt } = erasure;
    const state = await this.port.erase({ id: userId, email, requestedAt }, signal);
    if (state === 'again') {
      const runAt = after(this.clock.now(), LOOK_AGAIN);
      await this.jobs.enqueue(this.em, erasePerson, { userId }, { runAt });
      return;
    }
    await inTransaction(this.em, async (em) => {
      await this.audit.forget(em, userId);
      const gone = await query<typeof UserSchema>(em)
        .deleteFrom('users')
        .where('id', '=', userId)
        .where('erased_at', 'is not', null)
        .executeTakeFirst();
      // Of two that come here at once, one deletes the row, and that one has the farewell sent.
      if (gone.numDeletedRows === 0n) return;
      await this.audit.record(em, { type: 'user.erased' });
      await this.jobs.enqueue(em, tellAccountDeleted, { userId });
    });
  }
}
