import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { AuthenticationResponseJSON, PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import { AppConfig } from '../../../platform/config/app-config.js';
import { CHALLENGE_LIFETIME } from '../shared/browser-cookies.js';
import { PasskeyChallengeService, type ChallengeHolder } from './passkey-challenge.service.js';
import { loadWebAuthn } from './load-webauthn.js';
import { PasskeyRepository } from './passkey.repository.js';

export interface PasskeyRequest {
  /** null if the user is not known yet; the passkey then identifies them. */
  readonly userId: number | null;
  /** Whether a PIN, fingerprint or face check is required in addition to the device (WebAuthn user verification). */
  readonly mustVerifyUser: boolean;
}

/** Creates passkey requests and verifies the responses (WebAuthn assertions). */
@Injectable()
export class PasskeyVerificationService {
  constructor(
    private readonly passkeys: PasskeyRepository,
    private readonly challenges: PasskeyChallengeService,
    private readonly config: AppConfig,
  ) {}

  /** The WebAuthn relying party: the host of the public URL. */
  get relyingParty(): { readonly id: string; readonly origin: string } {
    const { hostname, origin } = new URL(this.config.appUrl);
    return { id: hostname, origin };
  }

  /** Creates request options. Their challenge can be answered once, by this holder. */
  async createRequestOptions(
    of: ChallengeHolder,
    { userId, mustVerifyUser }: PasskeyRequest,
  ): Promise<PublicKeyCredentialRequestOptionsJSON> {
    const { generateAuthenticationOptions } = await loadWebAuthn();
    const options = await generateAuthenticationOptions({
      rpID: this.relyingParty.id,
      allowCredentials: userId === null ? [] : await this.passkeys.findCredentials(userId),
      userVerification: mustVerifyUser ? 'required' : 'preferred',
      timeout: CHALLENGE_LIFETIME,
    });
    await this.challenges.storeChallenge(of, options.challenge);
    return options;
  }

  /** Consumes the challenge of a response, before any transaction. @returns null if it can't be answered (any more) */
  consumeChallenge(of: ChallengeHolder, assertion: AuthenticationResponseJSON): Promise<string | null> {
    return this.challenges.consumeChallenge(of, assertion.response.clientDataJSON);
  }

  /**
   * Verifies a response and records the use, in the caller's transaction. Copies of a passkey and replayed
   * responses are rejected.
   * @param challenge from `consumeChallenge`
   */
  async verifyAssertion(
    em: EntityManager,
    assertion: AuthenticationResponseJSON,
    challenge: string | null,
    { userId, mustVerifyUser }: { readonly userId: number; readonly mustVerifyUser: boolean },
  ): Promise<boolean> {
    const { userHandle } = assertion.response;
    if (challenge === null || (userHandle && userHandle !== toUserHandle(userId))) return false;
    const row = await this.passkeys.findPasskey(em, userId, assertion.id);
    if (!row) return false;
    const found = await this.verifySignature(assertion, challenge, row, mustVerifyUser);
    if (!found) return false;
    const { newCounter: counter, userVerified } = found;
    return this.passkeys.updateUsed(em, row.id, { counter, userVerified });
  }

  /** Returns null for an invalid response. The reason is not disclosed. */
  private async verifySignature(
    assertion: AuthenticationResponseJSON,
    expectedChallenge: string,
    { publicKey, counter }: { readonly publicKey: string; readonly counter: number },
    mustVerifyUser: boolean,
  ) {
    const { verifyAuthenticationResponse } = await loadWebAuthn();
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
      // The library throws for anything wrong with a response, and doesn't distinguish these errors from its own.
      return null;
    }
  }
}

/** The WebAuthn user handle. It contains nothing about the user except the account id. */
export function toUserHandle(userId: number): string {
  return Buffer.from(`user:${userId}`).toString('base64url');
}
