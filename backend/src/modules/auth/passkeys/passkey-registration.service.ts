import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import {
  generateRegistrationOptions,
  verifyRegistrationResponse,
  type PublicKeyCredentialCreationOptionsJSON,
  type RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { freezeList } from '../../../platform/constants/freeze-list.js';
import { AuditService } from '../../../platform/audit/audit.service.js';
import { Clock } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import type { PasskeyDto } from '../mfa/dto/factors.dto.js';
import { MfaVerificationService } from '../mfa/mfa-verification.service.js';
import { MfaRemovalService } from '../mfa/mfa-removal.service.js';
import { RecoveryCodeService } from '../mfa/recovery-code.service.js';
import { SessionService } from '../sessions/session.service.js';
import { notifySecurityEvent } from '../auth.jobs.js';
import { UserService } from '../users/user.service.js';
import { PasskeySchema } from './entities/passkey.entity.js';
import { CHALLENGE_LIFETIME } from '../shared/browser-cookies.js';
import { PasskeyChallengeService, type ChallengeHolder } from './passkey-challenge.service.js';
import { toUserHandle, PasskeyVerificationService } from './passkey-verification.service.js';
import { MAX_PASSKEYS } from './passkey.policy.js';
import { passkeyErrors } from '../auth.errors.js';

type Tables = typeof PasskeySchema;

const columns = freezeList(['id', 'name', 'created_at as createdAt', 'last_used_at as lastUsedAt']);
const defaultName = { en: 'Passkey', tr: 'Geçiş anahtarı' } as const;

/** Adds, renames and removes a user's passkeys. */
@Injectable()
export class PasskeyRegistrationService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly config: AppConfig,
    private readonly users: UserService,
    private readonly sessions: SessionService,
    private readonly challenges: PasskeyChallengeService,
    private readonly passkeys: PasskeyVerificationService,
    private readonly mfaVerification: MfaVerificationService,
    private readonly mfaRemoval: MfaRemovalService,
    private readonly recoveryCode: RecoveryCodeService,
    private readonly jobs: JobsService,
    private readonly audit: AuditService,
  ) {}

  /** Returns the user's passkeys, oldest first. */
  listPasskeys(userId: number): Promise<PasskeyDto[]> {
    return query<Tables>(this.em)
      .selectFrom('passkeys')
      .select(columns)
      .where('user_id', '=', userId)
      .orderBy('id')
      .execute();
  }

  /** Creates the WebAuthn options for a new passkey. They are valid once, for this session, for five minutes. */
  async createRegistrationOptions(viewer: Viewer): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const { email, firstName } = await this.users.findById(viewer.userId);
    const options = await generateRegistrationOptions({
      rpName: this.config.appName,
      rpID: this.passkeys.relyingParty.id,
      userName: email,
      userDisplayName: firstName ?? email,
      userID: new Uint8Array(Buffer.from(toUserHandle(viewer.userId), 'base64url')),
      attestationType: 'none',
      timeout: CHALLENGE_LIFETIME,
      excludeCredentials: await this.passkeys.listCredentials(this.em, viewer.userId),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    });
    await this.challenges.storeChallenge(challengeHolder(viewer), options.challenge);
    return options;
  }

  /**
   * Adds the passkey created by the browser. The change is audited, and the user is notified by email.
   * @returns the passkey, and ten recovery codes if it is the user's first factor
   * @throws PASSKEY_INVALID, PASSKEY_LIMIT; NOT_SIGNED_IN if the session has since ended
   */
  async addPasskey(
    viewer: Viewer,
    attestation: RegistrationResponseJSON,
    requestedName: string | undefined,
    ipAddress: string | null,
  ): Promise<{ passkey: PasskeyDto; recoveryCodes: string[] }> {
    const { userId, language } = viewer;
    const created = await this.verifyAttestation(viewer, attestation);
    const name = requestedName ?? defaultName[language];
    return inTransaction(this.em, async (em) => {
      await this.sessions.lockUserOfSession(em, viewer);
      const isFirst = !(await this.mfaVerification.isEnrolled(em, userId));
      const passkey = await this.insertPasskey(em, userId, name, created);
      const fact = { type: 'user.factor-enrolled', actorId: userId, subjectId: userId, ipAddress } as const;
      await this.audit.record(em, { ...fact, params: { factor: 'passkey' } });
      await this.jobs.enqueue(em, notifySecurityEvent, { userId, event: 'passkey-added', passkeyName: name });
      return { passkey, recoveryCodes: isFirst ? await this.recoveryCode.replaceCodes(em, userId) : [] };
    });
  }

  /** Renames a passkey. @throws PASSKEY_NOT_FOUND */
  async renamePasskey(userId: number, id: number, name: string): Promise<PasskeyDto> {
    const renamed = await query<Tables>(this.em)
      .updateTable('passkeys')
      .set({ name })
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .returning(columns)
      .executeTakeFirst();
    if (!renamed) throw passkeyErrors.PASSKEY_NOT_FOUND();
    return renamed;
  }

  /**
   * Removes a passkey and, if it was the last factor, the recovery codes. The change is audited, and the user is
   * notified by email.
   * @throws PASSKEY_NOT_FOUND; NOT_SIGNED_IN if the session has since ended
   */
  removePasskey(viewer: Viewer, id: number, ipAddress: string | null): Promise<void> {
    const { userId } = viewer;
    return inTransaction(this.em, async (em) => {
      await this.sessions.lockUserOfSession(em, viewer);
      const deleted = await query<Tables>(em)
        .deleteFrom('passkeys')
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .returning('name')
        .executeTakeFirst();
      if (!deleted) throw passkeyErrors.PASSKEY_NOT_FOUND();
      await this.mfaRemoval.cleanUpAfterLastFactor(em, userId);
      const fact = { type: 'user.factor-removed', actorId: userId, subjectId: userId, ipAddress } as const;
      await this.audit.record(em, { ...fact, params: { factor: 'passkey' } });
      await this.jobs.enqueue(em, notifySecurityEvent, { userId, event: 'passkey-removed', passkeyName: deleted.name });
    });
  }

  private async verifyAttestation(viewer: Viewer, attestation: RegistrationResponseJSON) {
    const expectedChallenge = await this.challenges.consumeChallenge(
      challengeHolder(viewer),
      attestation.response.clientDataJSON,
    );
    if (expectedChallenge === null) throw passkeyErrors.PASSKEY_INVALID();
    const { id: expectedRPID, origin: expectedOrigin } = this.passkeys.relyingParty;
    const expected = { expectedChallenge, expectedOrigin, expectedRPID, requireUserVerification: false };
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: attestation,
      ...expected,
    }).catch(
      // The library throws for anything wrong with a response. The reason is not disclosed.
      () => ({ verified: false, registrationInfo: undefined }),
    );
    if (!verified || !registrationInfo) throw passkeyErrors.PASSKEY_INVALID();
    return registrationInfo;
  }

  /** @throws PASSKEY_INVALID for a credential that is already registered, by any user */
  private async insertPasskey(
    em: EntityManager,
    userId: number,
    name: string,
    { credential, userVerified }: Awaited<ReturnType<PasskeyRegistrationService['verifyAttestation']>>,
  ): Promise<PasskeyDto> {
    const { length } = await query<Tables>(em)
      .selectFrom('passkeys')
      .select('id')
      .where('user_id', '=', userId)
      .execute();
    if (length >= MAX_PASSKEYS) throw passkeyErrors.PASSKEY_LIMIT();
    const row = await query<Tables>(em)
      .insertInto('passkeys')
      .values({
        user_id: userId,
        credential_id: credential.id,
        counter: credential.counter,
        name,
        public_key: Buffer.from(credential.publicKey).toString('base64url'),
        transports: (credential.transports ?? []).join(','),
        verifies_user: userVerified,
        created_at: this.clock.now(),
      })
      .onConflict((conflict) => conflict.column('credential_id').doNothing())
      .returning(columns)
      .executeTakeFirst();
    if (!row) throw passkeyErrors.PASSKEY_INVALID();
    return row;
  }
}

const challengeHolder = ({ sessionId }: Viewer): ChallengeHolder => ({
  purpose: 'register',
  holder: `session ${sessionId}`,
});
