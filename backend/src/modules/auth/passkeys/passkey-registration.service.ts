import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { PublicKeyCredentialCreationOptionsJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { AuditRepository } from '../../../platform/audit/audit.repository.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { Viewer } from '../../../platform/http/parsing/viewer.js';
import { JobsService } from '../../../platform/jobs/jobs.service.js';
import type { PasskeyDto } from '../mfa/dto/factors.dto.js';
import { MfaVerificationService } from '../mfa/mfa-verification.service.js';
import { MfaRemovalService } from '../mfa/mfa-removal.service.js';
import { RecoveryCodeService } from '../mfa/recovery-code.service.js';
import { SessionService } from '../sessions/session.service.js';
import { notifySecurityEvent } from '../auth.jobs.js';
import { UserRepository } from '../users/user.repository.js';
import { CHALLENGE_LIFETIME } from '../shared/browser-cookies.js';
import { PasskeyChallengeService, type ChallengeHolder } from './passkey-challenge.service.js';
import { toUserHandle, PasskeyVerificationService } from './passkey-verification.service.js';
import { loadWebAuthn } from './load-webauthn.js';
import { PasskeyRepository } from './passkey.repository.js';
import { MAX_PASSKEYS } from './passkey.policy.js';
import { passkeyErrors } from '../auth.errors.js';

const defaultName = { en: 'Passkey', tr: 'Geçiş anahtarı' } as const;

/** Adds, renames and removes a user's passkeys. */
@Injectable()
export class PasskeyRegistrationService {
  constructor(
    private readonly em: EntityManager,
    private readonly config: AppConfig,
    private readonly users: UserRepository,
    private readonly sessions: SessionService,
    private readonly challenges: PasskeyChallengeService,
    private readonly passkeys: PasskeyRepository,
    private readonly passkeyVerification: PasskeyVerificationService,
    private readonly mfaVerification: MfaVerificationService,
    private readonly mfaRemoval: MfaRemovalService,
    private readonly recoveryCode: RecoveryCodeService,
    private readonly jobs: JobsService,
    private readonly audit: AuditRepository,
  ) {}

  /** Creates the WebAuthn options for a new passkey. They are valid once, for this session, for five minutes. */
  async createRegistrationOptions(viewer: Viewer): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const { email, firstName } = await this.users.getManagedUser(viewer.userId);
    const { generateRegistrationOptions } = await loadWebAuthn();
    const options = await generateRegistrationOptions({
      rpName: this.config.appName,
      rpID: this.passkeyVerification.relyingParty.id,
      userName: email,
      userDisplayName: firstName ?? email,
      userID: new Uint8Array(Buffer.from(toUserHandle(viewer.userId), 'base64url')),
      attestationType: 'none',
      timeout: CHALLENGE_LIFETIME,
      excludeCredentials: await this.passkeys.findCredentials(viewer.userId),
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
    const renamed = await this.passkeys.updateName(userId, id, name);
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
      const passkeyName = await this.passkeys.deletePasskey(em, userId, id);
      if (passkeyName === null) throw passkeyErrors.PASSKEY_NOT_FOUND();
      await this.mfaRemoval.cleanUpAfterLastFactor(em, userId);
      const fact = { type: 'user.factor-removed', actorId: userId, subjectId: userId, ipAddress } as const;
      await this.audit.record(em, { ...fact, params: { factor: 'passkey' } });
      await this.jobs.enqueue(em, notifySecurityEvent, { userId, event: 'passkey-removed', passkeyName });
    });
  }

  private async verifyAttestation(viewer: Viewer, attestation: RegistrationResponseJSON) {
    const expectedChallenge = await this.challenges.consumeChallenge(
      challengeHolder(viewer),
      attestation.response.clientDataJSON,
    );
    if (expectedChallenge === null) throw passkeyErrors.PASSKEY_INVALID();
    const { id: expectedRPID, origin: expectedOrigin } = this.passkeyVerification.relyingParty;
    const expected = { expectedChallenge, expectedOrigin, expectedRPID, requireUserVerification: false };
    const { verifyRegistrationResponse } = await loadWebAuthn();
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

  /** @throws PASSKEY_LIMIT; PASSKEY_INVALID for a credential that is already registered, by any user */
  private async insertPasskey(
    em: EntityManager,
    userId: number,
    name: string,
    { credential, userVerified }: Awaited<ReturnType<PasskeyRegistrationService['verifyAttestation']>>,
  ): Promise<PasskeyDto> {
    if ((await this.passkeys.countPasskeys(em, userId)) >= MAX_PASSKEYS) throw passkeyErrors.PASSKEY_LIMIT();
    const row = await this.passkeys.insertPasskey(em, {
      userId,
      name,
      credentialId: credential.id,
      counter: credential.counter,
      publicKey: Buffer.from(credential.publicKey).toString('base64url'),
      transports: credential.transports ?? [],
      verifiesUser: userVerified,
    });
    if (!row) throw passkeyErrors.PASSKEY_INVALID();
    return row;
  }
}

const challengeHolder = ({ sessionId }: Viewer): ChallengeHolder => ({
  purpose: 'register',
  holder: `session ${sessionId}`,
});
