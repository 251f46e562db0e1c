import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Audit } from '../../platform/audit/audit.service.js';
import { Clock } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import { inTransaction } from '../../platform/database/transaction.js';
import { commonErrors } from '../../platform/errors/common.errors.js';
import type { Viewer } from '../../platform/http/viewer.js';
import { Jobs } from '../../platform/jobs/jobs.service.js';
import { ApiTokenService } from '../auth/api-token.service.js';
import { authErrors } from '../auth/auth.errors.js';
import { EmailVerificationSchema } from '../auth/entities/email-verification.entity.js';
import { SingleUseTokenSchema } from '../auth/entities/single-use-token.entity.js';
import type { User, UserSchema } from '../auth/entities/user.entity.js';
import { PasswordConfirmation } from '../auth/password-confirmation.service.js';
import { SessionService } from '../auth/session.service.js';
import { SuperAdminService } from '../auth/super-admin.service.js';
import { UserService } from '../auth/user.service.js';
import { accountErrors } from './account.errors.js';
import { erasePerson } from './erase-person.job.js';
import { ErasureSchema } from './erasure.entity.js';
import { PictureService } from './picture.service.js';

type Tables = typeof UserSchema | typeof ErasureSchema | typeof SingleUseTokenSchema | typeof EmailVerificationSchema;

/** Deleting one's own account: at once for everybody who looks, in a job for what it held. */
@Injectable()
export class DeletionService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly users: UserService,
    private readonly superAdmins: SuperAdminService,
    private readonly sessions: SessionService,
    private readonly tokens: ApiTokenService,
    private readonly confirmation: PasswordConfirmation,
    private readonly pictures: PictureService,
    private readonly jobs: Jobs,
    private readonly audit: Audit,
  ) {}

  /**
   * Closes the account for good and has everything in it removed. The address and the user name are free at once.
   * @throws WRONG_PASSWORD, TOO_MANY_REQUESTS, LAST_SUPER_ADMIN
   * @throws NOT_SIGNED_IN when the account was deleted, or the session ended, meanwhile
   */
  async delete(viewer: Viewer, password: string, ipAddress: string | null): Promise<void> {
    const confirmed = await this.confirmation.confirm(viewer.userId, password);
    await inTransaction(this.em, async (em) => {
      if (viewer.isSuperAdmin) await this.assertNotLastSuperAdmin(em);
      const user = await this.users.lock(em, viewer.userId);
      if (!(await this.sessions.isOpen(em, viewer.sessionId))) throw commonErrors.NOT_SIGNED_IN();
      if (user.password !== confirmed) throw authErrors.WRONG_PASSWORD();
      await this.audit.record(em, { type: 'user.deleted', actorId: user.id, subjectId: user.id, ipAddress });
      await this.close(em, user);
      await this.jobs.enqueue(em, erasePerson, { userId: user.id });
    });
  }

  /** Takes everything from the row by which somebody could come in or be found; the rest follows by the job. */
  private async close(em: EntityManager, user: User): Promise<void> {
    const now = this.clock.now();
    const { id, email, language, profileImageUrl } = user;
    const rows = query<Tables>(em);
    await rows.insertInto('erasures').values({ user_id: id, email, language, requested_at: now }).execute();
    await this.users.shutOut(em, user);
    await this.tokens.revokeAll(em, id);
    await rows.deleteFrom('single_use_tokens').where('email', '=', email).execute();
    await rows.deleteFrom('email_verifications').where('email', '=', email).execute();
    em.assign(user, {
      email: `erased-${id}@erased.invalid`,
      erasedAt: now,
      ...{ password: null, username: null, firstName: null, lastName: null, profileImageUrl: null },
      ...{ postalAddress: null, timeZone: null, role: 'user', isSuperAdmin: false, emailVerified: false },
    });
    await em.flush();
    await this.pictures.discard(em, id, profileImageUrl);
  }

  private async assertNotLastSuperAdmin(em: EntityManager): Promise<void> {
    const active = await this.superAdmins.lockActive(em);
    if (active.length <= 1) throw accountErrors.LAST_SUPER_ADMIN();
  }
}
