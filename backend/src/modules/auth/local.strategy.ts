import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { Strategy } from 'passport-local';
import type { AppRequest } from '../../platform/http/viewer.js';
import { normaliseEmail } from '../../platform/http/fields.js';
import { originOf } from './session-cookie.service.js';
import { SignInService, type ProvenPerson } from './sign-in.service.js';

/** Passport's strategy for e-mail and password. The session is ours: passport only says who it is. */
@Injectable()
export class LocalStrategy extends PassportStrategy(Strategy) {
  constructor(private readonly signIn: SignInService) {
    super({ usernameField: 'email', passwordField: 'password', session: false, passReqToCallback: true });
  }

  validate(request: AppRequest, email: string, password: string): Promise<ProvenPerson> {
    return this.signIn.authenticate(normaliseEmail(email), password, originOf(request));
  }
}
