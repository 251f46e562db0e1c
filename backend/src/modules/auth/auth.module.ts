import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import { AccessGuard } from './access.guard.js';
import { AuthController } from './auth.controller.js';
import { AuthenticationGuard } from './authentication.guard.js';
import { ApiToken } from './entities/api-token.entity.js';
import { EmailVerification } from './entities/email-verification.entity.js';
import { Session } from './entities/session.entity.js';
import { SingleUseToken } from './entities/single-use-token.entity.js';
import { User } from './entities/user.entity.js';
import { UsernameChange } from './entities/username-change.entity.js';
import { LocalStrategy } from './local.strategy.js';
import { PasswordService } from './password.service.js';
import { ProfileCompletionService } from './profile-completion.service.js';
import { PurgeExpiredSecretsHandler } from './purge-expired-secrets.handler.js';
import { RegistrationService } from './registration.service.js';
import { SendVerificationCodeHandler } from './send-verification-code.handler.js';
import { SessionCookie } from './session-cookie.service.js';
import { SessionService } from './session.service.js';
import { SignInService } from './sign-in.service.js';
import { SingleUseTokenService } from './single-use-token.service.js';
import { SuperAdminService } from './super-admin.service.js';
import { UserNamePort } from './user-name.port.js';
import { UsernameService } from './username.service.js';
import { UserService } from './user.service.js';
import { VerificationCodeService } from './verification-code.service.js';

@Module({
  imports: [
    MikroOrmModule.forFeature([User, Session, EmailVerification, SingleUseToken, ApiToken, UsernameChange]),
    PassportModule,
  ],
  controllers: [AuthController],
  providers: [
    { provide: APP_GUARD, useClass: AuthenticationGuard },
    { provide: APP_GUARD, useClass: AccessGuard },
    LocalStrategy,
    PasswordService,
    ProfileCompletionService,
    PurgeExpiredSecretsHandler,
    RegistrationService,
    SendVerificationCodeHandler,
    SessionCookie,
    SessionService,
    SignInService,
    SingleUseTokenService,
    SuperAdminService,
    UserNamePort,
    UsernameService,
    UserService,
    VerificationCodeService,
  ],
  exports: [SessionCookie, SessionService, SingleUseTokenService, UserNamePort, UserService],
})
export class AuthModule {}
