import { Injectable, type ExecutionContext } from '@nestjs/common';
import { AuthGuard, PassportStrategy } from '@nestjs/passport';
import { validationPipe } from '../../../platform/http/reading/validation.js';
import { addressOfClient } from '../../../platform/http/networks/client-network.js';
import type { AppRequest } from '../../../platform/http/reading/viewer.js';
import { LoginDto } from '../dto/register.dto.js';
import { Strategy } from 'passport-local';
import { normaliseEmail } from '../../../platform/http/reading/fields.js';
import { originOf } from '../sessions/session-cookie.service.js';
import { SignInFailures } from '../trail/sign-in-failures.service.js';
import { SignInService, type ProvenPerson } from './sign-in.service.js';

/** Runs the local strategy, after the body is checked: guards come before pipes. */
@Injectable()
export class LocalAuthGuard extends AuthGuard('local') {
  private readonly pipe = validationPipe();

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const { body } = context.switchToHttp().getRequest<AppRequest>();
    await this.pipe.transform(body ?? {}, { type: 'body', metatype: LoginDto });
    return (await super.canActivate(context)) as boolean;
  }

  /** The strategy's error as it is, not wrapped into passport's own. */
  override handleRequest<T>(error: unknown, user: T): T {
    if (error) throw error;
    return user;
  }
}

/** Passport's strategy for e-mail and password. The session is ours: passport only says who it is. */
@Injectable()
export class LocalStrategy extends PassportStrategy(Strategy) {
  constructor(
    private readonly signIn: SignInService,
    private readonly failures: SignInFailures,
  ) {
    super({ usernameField: 'email', passwordField: 'password', session: false, passReqToCallback: true });
  }

  async validate(request: AppRequest, email: string, password: string): Promise<ProvenPerson> {
    const address = normaliseEmail(email);
    try {
      return await this.signIn.authenticate(address, password, originOf(request));
    } catch (error) {
      await this.failures.note(error, address, addressOfClient(request));
      throw error;
    }
  }
}
