import { Injectable, type ExecutionContext } from '@nestjs/common';
import { AuthGuard, PassportStrategy } from '@nestjs/passport';
import { validationPipe } from '../../../platform/http/parsing/validation.js';
import { clientAddressOf } from '../../../platform/http/networks/client-network.js';
import type { AppRequest } from '../../../platform/http/parsing/viewer.js';
import { LoginDto } from '../dto/register.dto.js';
import { Strategy } from 'passport-local';
import { normaliseEmail } from '../../../platform/http/parsing/fields.js';
import { getSessionOrigin } from '../sessions/session-cookie.service.js';
import { AuthFailureService } from '../security-events/auth-failure.service.js';
import { SignInService, type VerifiedCredentials } from './sign-in.service.js';

/** Runs the local strategy after validating the body itself, because guards run before pipes. */
@Injectable()
export class LocalAuthGuard extends AuthGuard('local') {
  private readonly pipe = validationPipe();

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const { body } = context.switchToHttp().getRequest<AppRequest>();
    await this.pipe.transform(body ?? {}, { type: 'body', metatype: LoginDto });
    return (await super.canActivate(context)) as boolean;
  }

  /** Passes the strategy's error on instead of wrapping it into Passport's own. */
  override handleRequest<T>(error: unknown, user: T): T {
    if (error) throw error;
    return user;
  }
}

/** Passport's strategy for email and password. Passport only verifies the credentials; sessions are ours. */
@Injectable()
export class LocalStrategy extends PassportStrategy(Strategy) {
  constructor(
    private readonly signIn: SignInService,
    private readonly authFailures: AuthFailureService,
  ) {
    super({ usernameField: 'email', passwordField: 'password', session: false, passReqToCallback: true });
  }

  async validate(request: AppRequest, email: string, password: string): Promise<VerifiedCredentials> {
    const address = normaliseEmail(email);
    try {
      return await this.signIn.verifyCredentials(address, password, getSessionOrigin(request));
    } catch (error) {
      await this.authFailures.recordSignInFailure(error, address, clientAddressOf(request));
      throw error;
    }
  }
}
