import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import {
  generateAuthenticationOptions,
  verifyAuthenticationResponse,
  type AuthenticationResponseJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import { sql } from 'kysely';
import { Clock } from '../../../platform/clock/clock.js';
import { AppConfig } from '../../../platform/config/app-config.js';
import { query } from '../../../platform/database/query.js';
import { PasskeySchema } from './entities/passkey.entity.js';
import { CHALLENGE_LIFETIME } from '../shared/browser-cookies.js';
import { PasskeyChallengeService, type ChallengeHolder } from './passkey-challenge.service.js';

type Tables = typeof PasskeySchema;

/** Of whom a passkey is asked. */
export interface PasskeyRequest {
  /** null while nobody is known: the passkey tells who it is. */
  readonly userId: number | null;
  /** Whether a PIN, a finger or a face is needed, not only the device. */
  readonly mustVerifyUser: boolean;
}

/** Asks for passkeys, and judges what they answer. */
@Injectable()
export class PasskeyVerificationService {
  constructor(
    private readonly clock: Clock,
    private readonly challenges: PasskeyChallengeService,
    private readonly config: AppConfig,
  ) {}

  /** The site to which passkeys belong: the host of the public address. */
  get relyingParty(): { readonly id: string; readonly origin: string } {
    const { hostname, origin } = new URL(this.config.appUrl);
    return { id: hostname, origin };
  }

  /** What the browser is asked; the challenge in it can be answered once, by this holder. */
  async createRequestOptions(
    em: EntityManager,
    of: ChallengeHolder,
    { userId, mustVerifyUser }: PasskeyRequest,
  ): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const options = await generateAuthenticationOptions({
      rpID: this.relyingParty.id,
      allowCredentials: userId === null ? [] : await this.listCredentials(em, userId),
      userVerification: mustVerifyUser ? 'required' : 'preferred',
      timeout: CHALLENGE_LIFETIME,
    });
    await this.challenges.storeChallenge(of, options.challenge);
    return options;
  }

  /** Takes the challenge of an answer, before any transaction. @returns null when it cannot be answered (any more) */
  consumeChallenge(of: ChallengeHolder, assertion: AuthenticationResponseJSON): Promise<string | null> {
    return this.challenges.consumeChallenge(of, assertion.response.clientDataJSON);
  }

  /** Whose passkey answers; nothing of the answer is verified by this. */
  async findOwner(em: EntityManager, assertion: AuthenticationResponseJSON): Promise<number | null> {
    const row = await query<Tables>(em)
      .selectFrom('passkeys')
      .select('user_id as userId')
      .where('credential_id', '=', assertion.id)
      .executeTakeFirst();
    return row?.userId ?? null;
  }

  /**
   * Whether the answer is right, noting the use in the caller's transaction. The counter is written only where it is a
   * later one: a copy of the passkey, or the same answer again, is refused.
   * @param challenge from `challengeOf`
   */
  async verifyAssertion(
    em: EntityManager,
    assertion: AuthenticationResponseJSON,
    challenge: string | null,
    { userId, mustVerifyUser }: { readonly userId: number; readonly mustVerifyUser: boolean },
  ): Promise<boolean> {
    const { userHandle } = assertion.response;
    if (challenge === null || (userHandle && userHandle !== toUserHandle(userId))) return false;
    const row = await query<Tables>(em)
      .selectFrom('passkeys')
      .select(['id', 'public_key as publicKey', 'counter'])
      .where('credential_id', '=', assertion.id)
      .where('user_id', '=', userId)
      .executeTakeFirst();
    if (!row) return false;
    const found = await this.verifySignature(assertion, challenge, row, mustVerifyUser);
    if (!found) return false;
    const used = await query<Tables>(em)
      .updateTable('passkeys')
      .set({ counter: found.newCounter, last_used_at: this.clock.now() })
      .set({ verifies_user: sql<boolean>`verifies_user or ${found.userVerified}` })
      .where('id', '=', row.id)
      .where(sql<boolean>`(counter < ${found.newCounter} or (counter = 0 and ${found.newCounter} = 0))`)
      .executeTakeFirst();
    return used.numUpdatedRows > 0n;
  }

  /** null when anything is wrong with it; what, is told to nobody. */
  private async verifySignature(
    assertion: AuthenticationResponseJSON,
    expectedChallenge: string,
    { publicKey, counter }: { readonly publicKey: string; readonly counter: number },
    mustVerifyUser: boolean,
  ) {
    try {
      const { verified, authenticationInfo } = await verifyAuthenticationResponse({
        response: assertion,
        expectedChallenge,
        expectedOrigin: this.relyingParty.origin,
        expectedRPID: this.relyingParty.id,
        credential: { id: assertion.id, publicKey: new Uint8Array(Buffer.from(publicKey, 'base64url')), counter },
        requireUserVerification: mustVerifyUser,
      });
      return verified ? authenticationInfo : null;
    } catch {
      // The library throws at each thing that is wrong with an answer, and has no errors of its own for its faults.
      return null;
    }
  }

  /** Whether one of the person's passkeys asks for a PIN, a finger or a face. */
  async hasUserVerifyingPasskey(em: EntityManager, userId: number): Promise<boolean> {
    const row = await query<Tables>(em)
      .selectFrom('passkeys')
      .select('id')
      .where('user_id', '=', userId)
      .where('verifies_user', '=', true)
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  }

  /** The passkeys of a person, as a browser is told of them. */
  async listCredentials(em: EntityManager, userId: number): Promise<{ id: string; transports: string[] }[]> {
    const rows = await query<Tables>(em)
      .selectFrom('passkeys')
      .select(['credential_id as id', 'transports'])
      .where('user_id', '=', userId)
      .orderBy('id')
      .execute();
    return rows.map(({ id, transports }) => ({ id, transports: transports.split(',').filter(Boolean) }));
  }
}

/** By what a passkey knows its person: nothing of them but the number of the account. */
export function toUserHandle(userId: number): string {
  return Buffer.from(`user:${userId}`).toString('base64url');
}
