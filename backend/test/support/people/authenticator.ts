import { Secret, TOTP } from 'otpauth';
import type { Client, World } from '../world.js';

const TOTP_PERIOD = 30_000;

/** An authenticator app, whose code changes every 30 seconds. */
export class AuthenticatorApp {
  private readonly totp: TOTP;

  constructor(
    private readonly world: World,
    secret: string,
  ) {
    this.totp = new TOTP({ secret: Secret.fromBase32(secret), period: TOTP_PERIOD / 1000 });
  }

  currentCode(): string {
    return this.totp.generate({ timestamp: this.world.testApp.clock.now().getTime() });
  }

  /** Advances the clock by one period, so that the code is unused. */
  nextCode(): string {
    this.world.testApp.clock.advance(TOTP_PERIOD);
    return this.currentCode();
  }

  /** Returns a code that is wrong now and in the adjacent periods. */
  wrongCode(): string {
    const now = this.world.testApp.clock.now().getTime();
    const validCodes = [-2, -1, 0, 1, 2].map((steps) => this.totp.generate({ timestamp: now + steps * TOTP_PERIOD }));
    return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !validCodes.includes(code))!;
  }
}

export interface EnrolledAuthenticator {
  readonly app: AuthenticatorApp;
  readonly recoveryCodes: string[];
}

/** Sets up an authenticator app as a user does in the settings. */
export async function enrolAuthenticator(world: World, client: Client): Promise<EnrolledAuthenticator> {
  const { body } = await client.post('/api/user/factors').send().expect(201);
  const app = new AuthenticatorApp(world, body.secret as string);
  const { body: enrolled } = await client
    .post('/api/user/factors/verify')
    .send({ code: app.currentCode() })
    .expect(200);
  return { app, recoveryCodes: enrolled.recoveryCodes as string[] };
}
