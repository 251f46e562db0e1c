import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import {
  generateRegistrationOptions,
  verifyRegistrationResponse,
  type PublicKeyCredentialCreationOptionsJSON,
  type RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { catalogue } from '../../../platform/catalogue/catalogue.js';
import { Audit } from '../../../platform/audit/audit.service.js';
import { Clock } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { query } from '../../../platform/database/query.js';
import { inTransaction } from '../../../platform/database/transaction.js';
import type { Viewer } from '../../../platform/http/reading/viewer.js';
import { Jobs } from '../../../platform/jobs/jobs.service.js';
import type { PasskeyDto } from '../factors/dto/factors.dto.js';
import { FactorChecker } from '../factors/factor-checker.service.js';
import { FactorRemover } from '../factors/factor-remover.service.js';
import { RecoveryCodes } from '../factors/recovery-code.service.js';
import { SessionService } from '../sessions/session.service.js';
import { tellSecurityEvent } from '../auth.jobs.js';
import { UserService } from '../users/user.service.js';
import { PasskeySchema } from './entities/passkey.entity.js';
import { CHALLENGE_LIFETIME } from '../shared/browser-cookies.js';
import { PasskeyChallenges, type ChallengeHolder } from './passkey-challenge.service.js';
import { handleOf, PasskeyChecker } from './passkey-checker.service.js';
import { MOST_PASSKEYS } from './passkey.policy.js';
import { passkeyErrors } from '../auth.errors.js';

type Tables = typeof PasskeySchema;

const columns = catalogue(['id', 'name', 'created_at as createdAt', 'last_used_at as lastUsedAt']);
const defaultName = { en: 'Passkey', tr: 'Geçiş anahtarı' } as const;

/** The passkeys of a person: adding, naming and removing them. */
@Injectable()
export class PasskeyRegistration {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly config: AppConfig,
    private readonly users: UserService,
    private readonly sessions: SessionService,
    private readonly challenges: PasskeyChallenges,
    private readonly passkeys: PasskeyChecker,
    private readonly factors: FactorChecker,
    private readonly remover: FactorRemover,
    private readonly recoveryCodes: RecoveryCodes,
    private readonly jobs: Jobs,
    private readonly audit: Audit,
  ) {}

  /** All of a person, the oldest first. */
  list(userId: number): Promise<PasskeyDto[]> {
    return query<Tables>(this.em)
      .selectFrom('passkeys')
      .select(columns)
      .where('user_id', '=', userId)
      .orderBy('id')
      .execute();
  }

  /** What the browser is told to make a passkey of; answered once, by this session, within five minutes. */
  async begin(viewer: Viewer): Promise<PublicKeyCredentialCreationOptionsJSON> {
    const { email, firstName } = await this.users.findById(viewer.userId);
    const options = await generateRegistrationOptions({
      rpName: this.config.appName,
      rpID: this.passkeys.site.id,
      userName: email,
      userDisplayName: firstName ?? email,
      userID: new Uint8Array(Buffer.from(handleOf(viewer.userId), 'base64url')),
      attestationType: 'none',
      timeout: CHALLENGE_LIFETIME,
      excludeCredentials: await this.passkeys.credentialsOf(this.em, viewer.userId),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    });
    await this.challenges.keep(holderOf(viewer), options.challenge);
    return options;
  }

  /**
   * Adds the passkey that the browser has made; audited and told by mail.
   * @returns it, and ten recovery codes when it is the person's first factor
   * @throws PASSKEY_INVALID, PASSKEY_LIMIT; NOT_SIGNED_IN when the session ended meanwhile
   */
  async add(
    viewer: Viewer,
    answer: RegistrationResponseJSON,
    wanted: string | undefined,
    ipAddress: string | null,
  ): Promise<{ passkey: PasskeyDto; recoveryCodes: string[] }> {
    const { userId, language } = viewer;
    const made = await this.verify(viewer, answer);
    const name = wanted ?? defaultName[language];
    return inTransaction(this.em, async (em) => {
      await this.sessions.lock(em, viewer);
      const isFirst = !(await this.factors.isEnrolled(em, userId));
      const passkey = await this.insert(em, userId, name, made);
      const fact = { type: 'user.factor-enrolled', actorId: userId, subjectId: userId, ipAddress } as const;
      await this.audit.record(em, { ...fact, params: { factor: 'passkey' } });
      await this.jobs.enqueue(em, tellSecurityEvent, { userId, event: 'passkey-added', passkeyName: name });
      return { passkey, recoveryCodes: isFirst ? await this.recoveryCodes.renew(em, userId) : [] };
    });
  }

  /** Gives one another name. @throws PASSKEY_NOT_FOUND */
  async rename(userId: number, id: number, name: string): Promise<PasskeyDto> {
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
   * Removes one, and the recovery codes with the last factor; audited and told by mail.
   * @throws PASSKEY_NOT_FOUND; NOT_SIGNED_IN when the session ended meanwhile
   */
  remove(viewer: Viewer, id: number, ipAddress: string | null): Promise<void> {
    const { userId } = viewer;
    return inTransaction(this.em, async (em) => {
      await this.sessions.lock(em, viewer);
      const gone = await query<Tables>(em)
        .deleteFrom('passkeys')
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .returning('name')
        .executeTakeFirst();
      if (!gone) throw passkeyErrors.PASSKEY_NOT_FOUND();
      await this.remover.tidyUp(em, userId);
      const fact = { type: 'user.factor-removed', actorId: userId, subjectId: userId, ipAddress } as const;
      await this.audit.record(em, { ...fact, params: { factor: 'passkey' } });
      await this.jobs.enqueue(em, tellSecurityEvent, { userId, event: 'passkey-removed', passkeyName: gone.name });
    });
  }

  private async verify(viewer: Viewer, answer: RegistrationResponseJSON) {
    const expectedChallenge = await this.challenges.use(holderOf(viewer), answer.response.clientDataJSON);
    if (expectedChallenge === null) throw passkeyErrors.PASSKEY_INVALID();
    const { id: expectedRPID, origin: expectedOrigin } = this.passkeys.site;
    const expected = { expectedChallenge, expectedOrigin, expectedRPID, requireUserVerification: false };
    const { verified, registrationInfo } = await verifyRegistrationResponse({ response: answer, ...expected }).catch(
      // The library throws at each thing that is wrong with an answer; what it was is told to nobody.
      () => ({ verified: false, registrationInfo: undefined }),
    );
    if (!verified || !registrationInfo) throw passkeyErrors.PASSKEY_INVALID();
    return registrationInfo;
  }

  /** @throws PASSKEY_INVALID for one that is known already, whosever it is */
  private async insert(
    em: EntityManager,
    userId: number,
    name: string,
    { credential, userVerified }: Awaited<ReturnType<PasskeyRegistration['verify']>>,
  ): Promise<PasskeyDto> {
    const { length } = await query<Tables>(em)
      .selectFrom('passkeys')
      .select('id')
      .where('user_id', '=', userId)
      .execute();
    if (length >= MOST_PASSKEYS) throw passkeyErrors.PASSKEY_LIMIT();
    const row = await query<Tables>(em)
      .insertInto('passkeys')
      .values({
        ...{ user_id: userId, credential_id: credential.id, counter: credential.counter, name },
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

const holderOf = ({ sessionId }: Viewer): ChallengeHolder => ({ purpose: 'register', holder: `session ${sessionId}` });
