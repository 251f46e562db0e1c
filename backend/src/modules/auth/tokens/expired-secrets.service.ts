import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { addMilliseconds, Clock, DAY } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { RateLimitSchema } from '../../../platform/http/limits/rate-limit.entity.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { EmailChangeSchema } from '../email-change/entities/email-change.entity.js';
import { KnownDeviceSchema } from '../devices/known-device.entity.js';
import { ApiTokenSchema } from '../entities/api-token.entity.js';
import { EmailVerificationSchema, SingleUseTokenSchema } from '../entities/single-use-token.entity.js';
import { SessionSchema } from '../entities/session.entity.js';
import { UsernameChangeSchema } from '../entities/user.entity.js';
import { purgeExpiredSecrets } from '../auth.jobs.js';
import { AuthenticatorSchema } from '../mfa/entities/authenticator.entity.js';
import { PasskeyChallengeSchema } from '../passkeys/entities/passkey.entity.js';
import { PendingSignInSchema } from '../sign-in/pending-sign-in.entity.js';
import {
  SsoAuthorizationRequestSchema,
  PendingIdentityLinkSchema,
} from '../single-sign-on/entities/external-identity.entity.js';
import { USERNAME_CHANGE_WINDOW } from '../registration/username-change.service.js';

/** Used and expired tokens stay for a while, so that a second click can still be explained. */
const TOKEN_RETENTION = 7 * DAY;
/** A change of address can be undone for a week. After a month, records of it are no longer needed. */
const EMAIL_CHANGE_RETENTION = 30 * DAY;
/** A browser unused for this long counts as new again. Its network is deleted earlier. */
const DEVICE_RETENTION = 400 * DAY;
const NETWORK_RETENTION = 90 * DAY;
/** Expired API tokens stay in their owner's list for a while, to help find out why a program stopped working. */
const API_TOKEN_RETENTION = 30 * DAY;

type Tables =
  | typeof EmailVerificationSchema
  | typeof SessionSchema
  | typeof KnownDeviceSchema
  | typeof PendingSignInSchema
  | typeof PasskeyChallengeSchema
  | typeof AuthenticatorSchema
  | typeof SingleUseTokenSchema
  | typeof RateLimitSchema
  | typeof ApiTokenSchema
  | typeof UsernameChangeSchema
  | typeof SsoAuthorizationRequestSchema
  | typeof PendingIdentityLinkSchema
  | typeof EmailChangeSchema;

@Injectable()
export class ExpiredSecretsService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  @OnJob(purgeExpiredSecrets)
  async purgeExpiredSecrets(): Promise<void> {
    const now = this.clock.now();
    const tables = query<Tables>(this.em);
    await tables.deleteFrom('sessions').where('expire', '<=', now).execute();
    await tables.deleteFrom('pending_sign_ins').where('expires_at', '<=', now).execute();
    await tables.deleteFrom('passkey_challenges').where('expires_at', '<=', now).execute();
    await tables
      .deleteFrom('authenticators')
      .where('confirmed_at', 'is', null)
      .where('created_at', '<=', addMilliseconds(now, -DAY))
      .execute();
    await tables.deleteFrom('email_verifications').where('expires_at', '<=', addMilliseconds(now, -DAY)).execute();
    await tables
      .deleteFrom('single_use_tokens')
      .where('expires_at', '<=', addMilliseconds(now, -TOKEN_RETENTION))
      .execute();
    await tables
      .deleteFrom('known_devices')
      .where('last_seen_at', '<=', addMilliseconds(now, -DEVICE_RETENTION))
      .execute();
    await tables
      .updateTable('known_devices')
      .set({ network: null })
      .where('last_seen_at', '<=', addMilliseconds(now, -NETWORK_RETENTION))
      .where('network', 'is not', null)
      .execute();
    await tables
      .deleteFrom('api_tokens')
      .where('expires_at', '<=', addMilliseconds(now, -API_TOKEN_RETENTION))
      .execute();
    await tables
      .deleteFrom('username_changes')
      .where('changed_at', '<=', addMilliseconds(now, -USERNAME_CHANGE_WINDOW))
      .execute();
    await tables.deleteFrom('begun_sign_ins').where('expires_at', '<=', now).execute();
    await tables
      .deleteFrom('email_changes')
      .where('changed_at', '<=', addMilliseconds(now, -EMAIL_CHANGE_RETENTION))
      .execute();
    await tables.deleteFrom('pending_identity_links').where('expires_at', '<=', now).execute();
    await tables.deleteFrom('rate_limits').where('ends_at', '<=', now).execute();
  }
}
