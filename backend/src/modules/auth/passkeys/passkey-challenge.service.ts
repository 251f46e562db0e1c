import { Injectable } from '@nestjs/common';
import { addMilliseconds, Clock } from '../../../platform/clock/clock.js';
import { digestOf } from '../../../platform/security/secrets.js';
import { CHALLENGE_LIFETIME } from '../shared/browser-cookies.js';
import { PasskeyRepository } from './passkey.repository.js';

/** The purpose of a challenge and its holder: a browser, a session or a pending sign-in. */
export interface ChallengeHolder {
  readonly purpose: 'register' | 'sign-in' | 'factor' | 'confirm';
  readonly holder: string;
}

/** Passkey challenges. Each is valid for one purpose and one holder, once, for five minutes. */
@Injectable()
export class PasskeyChallengeService {
  constructor(
    private readonly passkeys: PasskeyRepository,
    private readonly clock: Clock,
  ) {}

  async storeChallenge(of: ChallengeHolder, challenge: string): Promise<void> {
    const expiresAt = addMilliseconds(this.clock.now(), CHALLENGE_LIFETIME);
    await this.passkeys.insertChallenge(digestChallenge(of, challenge), expiresAt);
  }

  /**
   * Consumes the challenge named in a response, outside any transaction, so that a wrong response consumes it too. Of
   * concurrent calls, one gets it.
   * @param clientData the response's `clientDataJSON`
   * @returns null if it is unknown, expired, used, or of another holder or purpose
   */
  async consumeChallenge(of: ChallengeHolder, clientData: string): Promise<string | null> {
    const challenge = parseChallenge(clientData);
    if (challenge === null) return null;
    return (await this.passkeys.consumeChallenge(digestChallenge(of, challenge))) ? challenge : null;
  }
}

const digestChallenge = ({ purpose, holder }: ChallengeHolder, challenge: string) =>
  digestOf([purpose, holder, challenge].join('\n'));

function parseChallenge(clientData: string): string | null {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(clientData, 'base64url').toString('utf8'));
    const challenge = (parsed as { challenge?: unknown } | null)?.challenge;
    return typeof challenge === 'string' && challenge.length <= 200 ? challenge : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
