import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { after, Clock, DAY } from '../../platform/clock/clock.js';
import { query } from '../../platform/database/query.js';
import { RateLimitSchema } from '../../platform/http/rate-limit.entity.js';
import { JobHandler } from '../../platform/jobs/job-handler.decorator.js';
import { ApiTokenSchema } from './entities/api-token.entity.js';
import { EmailVerificationSchema } from './entities/email-verification.entity.js';
import { SessionSchema } from './entities/session.entity.js';
import { SingleUseTokenSchema } from './entities/single-use-token.entity.js';
import { UsernameChangeSchema } from './entities/username-change.entity.js';
import { purgeExpiredSecrets } from './purge-expired-secrets.job.js';
import { USERNAME_WINDOW } from './username-change.service.js';

/** Used and expired tokens stay a while, so that a second click can still be told what happened. */
const KEEP_TOKENS = 7 * DAY;
/** Expired API tokens stay in their owner's list a while, so that a program that stopped working can be found. */
const KEEP_API_TOKENS = 30 * DAY;

type Tables =
  | typeof EmailVerificationSchema
  | typeof SessionSchema
  | typeof SingleUseTokenSchema
  | typeof RateLimitSchema
  | typeof ApiTokenSchema
  | typeof UsernameChangeSchema;

@Injectable()
@JobHandler(purgeExpiredSecrets)
export class PurgeExpiredSecretsHandler {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  async handle(): Promise<void> {
    const now = this.clock.now();
    const tables = query<Tables>(this.em);
    await tables.deleteFrom('sessions').where('expire', '<=', now).execute();
    await tables.deleteFrom('email_verifications').where('expires_at', '<=', after(now, -DAY)).execute();
    await tables.deleteFrom('single_use_tokens').where('expires_at', '<=', after(now, -KEEP_TOKENS)).execute();
    await tables.deleteFrom('api_tokens').where('expires_at', '<=', after(now, -KEEP_API_TOKENS)).execute();
    await tables.deleteFrom('username_changes').where('changed_at', '<=', after(now, -USERNAME_WINDOW)).execute();
    await tables.deleteFrom('rate_limits').where('ends_at', '<=', now).execute();
  }
}
