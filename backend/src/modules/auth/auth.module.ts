import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import { AccessGuard } from './access.guard.js';
import { AddressVerificationService } from './address-verification.service.js';
import { ApiTokenService } from './api-token.service.js';
import { AuthPersonalData } from './auth-personal-data.js';
import { AuthController } from './auth.controller.js';
import { AuthenticationGuard } from './authentication.guard.js';
import { ApiToken } from './entities/api-token.entity.js';
import { CredentialService } from './credential.service.js';
import { EmailVerification } from './entities/email-verification.entity.js';
import { Session } from './entities/session.entity.js';
import { SingleUseToken } from './entities/single-use-token.entity.js';
import { User } from './entities/user.entity.js';
import { UsernameChange } from './entities/username-change.entity.js';
import { LocalStrategy } from './local.strategy.js';
import { PasswordChangeService } from './password-change.service.js';
import { PasswordConfirmation } from './password-confirmation.service.js';
import { PasswordResetService } from './password-reset.service.js';
import { PasswordController } from './password.controller.js';
import { PasswordService } from './password.service.js';
import { PersonalDataPort } from './personal-data.port.js';
import { ProfileCompletionService } from './profile-completion.service.js';
import { PurgeExpiredSecretsHandler } from './purge-expired-secrets.handler.js';
import { RegistrationService } from './registration.service.js';
import { SendAddressVerificationHandler } from './send-address-verification.handler.js';
import { SendPasswordResetHandler } from './send-password-reset.handler.js';
import { SendVerificationCodeHandler } from './send-verification-code.handler.js';
import { SessionCookie } from './session-cookie.service.js';
import { SessionService } from './session.service.js';
import { SignInService } from './sign-in.service.js';
import { SingleUseTokenService } from './single-use-token.service.js';
import { SuperAdminService } from './super-admin.service.js';
import { TellSecurityEventHandler } from './tell-security-event.handler.js';
import { TemporaryPasswordPort } from './temporary-password.port.js';
import { UserNamePort } from './user-name.port.js';
import { UserStatePort } from './user-state.port.js';
import { UsernameChangeService } from './username-change.service.js';
import { UsernameService } from './username.service.js';
import { UserService } from './user.service.js';
import { VerificationCodeService } from './verification-code.service.js';

@Module({
  imports: [
    MikroOrmModule.forFeature([User, Session, EmailVerification, SingleUseToken, ApiToken, UsernameChange]),
    PassportModule,
  ],
  controllers: [AuthController, PasswordController],
  providers: [
    { provide: APP_GUARD, useClass: AuthenticationGuard },
    { provide: APP_GUARD, useClass: AccessGuard },
    AddressVerificationService,
    ApiTokenService,
    AuthPersonalData,
    CredentialService,
    LocalStrategy,
    PasswordChangeService,
    PasswordConfirmation,
    PasswordResetService,
    PasswordService,
    PersonalDataPort,
    ProfileCompletionService,
    PurgeExpiredSecretsHandler,
    RegistrationService,
    SendAddressVerificationHandler,
    SendPasswordResetHandler,
    SendVerificationCodeHandler,
    SessionCookie,
    SessionService,
    SignInService,
    SingleUseTokenService,
    SuperAdminService,
    TellSecurityEventHandler,
    TemporaryPasswordPort,
    UserNamePort,
    UsernameChangeService,
    UsernameService,
    UserService,
    UserStatePort,
    VerificationCodeService,
  ],
  exports: [
    AddressVerificationService,
    ApiTokenService,
    CredentialService,
    PasswordConfirmation,
    PasswordResetService,
    PasswordService,
    PersonalDataPort,
    ProfileCompletionService,
    SessionCookie,
    SessionService,
    SignInService,
    SingleUseTokenService,
    SuperAdminService,
    TemporaryPasswordPort,
    UserNamePort,
    UsernameChangeService,
    UserService,
    UserStatePort,
  ],
})
export class AuthModule {}
