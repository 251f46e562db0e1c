import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { addMilliseconds, Clock } from '../../../platform/clock/clock.js';
import { query } from '../../../platform/database/query.js';
import { digestOf } from '../../../platform/security/secrets.js';
import { CHALLENGE_LIFETIME } from '../shared/browser-cookies.js';
import { PasskeyChallengeSchema } from './entities/passkey.entity.js';

/** For what a challenge was made, and for whom: a browser, a session or a sign-in that waits. */
export interface ChallengeHolder {
  readonly purpose: 'register' | 'sign-in' | 'factor' | 'confirm';
  readonly holder: string;
}

/** Challenges of passkeys: each for one purpose and one holder, once, for five minutes. */
@Injectable()
export class PasskeyChallengeService {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
  ) {}

  /** Keeps a challenge until it is answered. */
  async storeChallenge(of: ChallengeHolder, challenge: string): Promise<void> {
    const row = {
      digest: digestChallenge(of, challenge),
      expires_at: addMilliseconds(this.clock.now(), CHALLENGE_LIFETIME),
    };
    await query<typeof PasskeyChallengeSchema>(this.em.fork()).insertInto('passkey_challenges').values(row).execute();
  }

  /**
   * Takes the challenge that an answer names, outside any transaction, so that a wrong answer spends it as well: of many
   * at the same time one gets it.
   * @param clientData the answer's `clientDataJSON`
   * @returns null when it is none of ours, another's, for something else, over or spent
   */
  async consumeChallenge(of: ChallengeHolder, clientData: string): Promise<string | null> {
    const challenge = parseChallenge(clientData);
    if (challenge === null) return null;
    const updated = await query<typeof PasskeyChallengeSchema>(this.em.fork())
      .deleteFrom('passkey_challenges')
      .where('digest', '=', digestChallenge(of, challenge))
      .where('expires_at', '>', this.clock.now())
      .executeTakeFirst();
    return updated.numDeletedRows > 0n ? challenge : null;
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
