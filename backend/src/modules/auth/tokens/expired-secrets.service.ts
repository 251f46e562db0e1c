import { Injectable } from '@nestjs/common';
import { addMilliseconds, Clock, DAY } from '../../../platform/clock/clock.js';
import { RateLimitRepository } from '../../../platform/http/limits/rate-limit.repository.js';
import { OnJob } from '../../../platform/jobs/on-job.decorator.js';
import { purgeExpiredSecrets } from '../auth.jobs.js';
import { KnownDeviceRepository } from '../devices/known-device.repository.js';
import { EmailChangeRepository } from '../email-change/email-change.repository.js';
import { MfaRepository } from '../mfa/mfa.repository.js';
import { PasskeyRepository } from '../passkeys/passkey.repository.js';
import { USERNAME_CHANGE_WINDOW } from '../registration/username-change.service.js';
import { VerificationCodeRepository } from '../registration/verification-code.repository.js';
import { SessionRepository } from '../sessions/session.repository.js';
import { PendingSignInRepository } from '../sign-in/pending-sign-in.repository.js';
import { SingleSignOnRepository } from '../single-sign-on/single-sign-on.repository.js';
import { UserRepository } from '../users/user.repository.js';
import { ApiTokenRepository } from './api-token.repository.js';
import { SingleUseTokenRepository } from './single-use-token.repository.js';

/** Used and expired tokens stay for a while, so that a second click can still be explained. */
const TOKEN_RETENTION = 7 * DAY;
/** A change of address can be undone for a week. After a month, records of it are no longer needed. */
const EMAIL_CHANGE_RETENTION = 30 * DAY;
/** A browser unused for this long counts as new again. Its network is deleted earlier. */
const DEVICE_RETENTION = 400 * DAY;
const NETWORK_RETENTION = 90 * DAY;
/** Expired API tokens stay in their owner's list for a while, to help find out why a program stopped working. */
const API_TOKEN_RETENTION = 30 * DAY;

@Injectable()
export class ExpiredSecretsService {
  constructor(
    private readonly clock: Clock,
    private readonly sessions: SessionRepository,
    private readonly pendingSignIns: PendingSignInRepository,
    private readonly passkeys: PasskeyRepository,
    private readonly mfa: MfaRepository,
    private readonly codes: VerificationCodeRepository,
    private readonly tokens: SingleUseTokenRepository,
    private readonly devices: KnownDeviceRepository,
    private readonly apiTokens: ApiTokenRepository,
    private readonly users: UserRepository,
    private readonly singleSignOn: SingleSignOnRepository,
    private readonly emailChanges: EmailChangeRepository,
    private readonly limits: RateLimitRepository,
  ) {}

  @OnJob(purgeExpiredSecrets)
  async purgeExpiredSecrets(): Promise<void> {
    const now = this.clock.now();
    const before = (milliseconds: number) => addMilliseconds(now, -milliseconds);
    await this.sessions.deleteExpiredSessions(now);
    await this.pendingSignIns.deleteExpiredPendingSignIns(now);
    await this.passkeys.deleteExpiredChallenges(now);
    await this.mfa.deleteUnconfirmedAuthenticators(before(DAY));
    await this.codes.deleteExpiredCodes(before(DAY));
    await this.tokens.deleteExpiredTokens(before(TOKEN_RETENTION));
    await this.devices.deleteUnusedDevices(before(DEVICE_RETENTION));
    await this.devices.clearNetworks(before(NETWORK_RETENTION));
    await this.apiTokens.deleteExpiredTokens(before(API_TOKEN_RETENTION));
    await this.users.deleteUsernameChanges(before(USERNAME_CHANGE_WINDOW));
    await this.singleSignOn.deleteExpiredAuthorizationRequests(now);
    await this.emailChanges.deleteOldChanges(before(EMAIL_CHANGE_RETENTION));
    await this.singleSignOn.deleteExpiredPendingLinks(now);
    await this.limits.deleteEndedWindows(now);
  }
}
