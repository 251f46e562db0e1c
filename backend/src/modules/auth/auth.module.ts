import { EmailChangeService } from './email-change/email-change.service.js';
import { EmailLinks } from './email-change/email-links.service.js';
import { EmailMover } from './email-change/email-mover.service.js';
import { EmailUndo } from './email-change/email-undo.service.js';
import { EmailChangeMailer } from './email-change/email-change-mailer.js';
import { PasskeyChallenges } from './passkeys/passkey-challenge.service.js';
import { PasskeyChecker } from './passkeys/passkey-checker.service.js';
import { PasskeyRegistration } from './passkeys/passkey-registration.service.js';
import { PasskeySignIn } from './passkeys/passkey-sign-in.service.js';
import { EntryAnswer } from './sign-in/entry-answer.service.js';
import { FactorSignIn } from './sign-in/factor-sign-in.service.js';
import { PendingSignIns } from './sign-in/pending-sign-in.service.js';
import { SessionOpener } from './sign-in/session-opener.service.js';
import { AuthenticatorService } from './factors/authenticator.service.js';
import { FactorChecker } from './factors/factor-checker.service.js';
import { FactorEnrolment } from './factors/factor-enrolment.service.js';
import { FactorRemover } from './factors/factor-remover.service.js';
import { FactorTries } from './factors/factor-tries.service.js';
import { RecoveryCodes } from './factors/recovery-code.service.js';
import { BegunSignIns } from './single-sign-on/begun-sign-in.service.js';
import { ExternalAccounts } from './single-sign-on/external-account.service.js';
import { IdentityLinking } from './single-sign-on/identity-linking.service.js';
import { IdentityProvider } from './single-sign-on/identity-provider.service.js';
import { LinkedIdentities } from './single-sign-on/linked-identity.service.js';
import { SingleSignOn } from './single-sign-on/single-sign-on.service.js';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import { AccessGuard } from './access/access.guard.js';
import { AddressVerificationService } from './registration/address-verification.service.js';
import { ApiTokenService } from './tokens/api-token.service.js';
import { Askers } from './shared/askers.service.js';
import { AuthController } from './sign-in/auth.controller.js';
import { AuthenticationGuard } from './access/authentication.guard.js';
import { EmailChangeController } from './email-change/email-change.controller.js';
import { EmailChange } from './email-change/entities/email-change.entity.js';
import { ApiToken, ApiTokenNetwork } from './entities/api-token.entity.js';
import { ConfirmationController } from './confirmation/confirmation.controller.js';
import { ConfirmationService } from './confirmation/confirmation.service.js';
import { CredentialService } from './passwords/credential.service.js';
import { EmailVerification, SingleUseToken } from './entities/single-use-token.entity.js';
import { Authenticator, RecoveryCode } from './factors/entities/authenticator.entity.js';
import { FactorsController } from './factors/factors.controller.js';
import { Session } from './entities/session.entity.js';
import { DeviceRegistry } from './devices/device-registry.service.js';
import { KnownDevice } from './devices/known-device.entity.js';
import { User, UsernameChange } from './entities/user.entity.js';
import { PasskeyChallenge, Passkey } from './passkeys/entities/passkey.entity.js';
import { PasskeySignInController } from './passkeys/passkey-sign-in.controller.js';
import { PasskeysController } from './passkeys/passkeys.controller.js';
import { LocalStrategy } from './sign-in/local-auth.guard.js';
import { PasswordChangeService } from './passwords/password-change.service.js';
import { PasswordConfirmation } from './passwords/password-confirmation.service.js';
import { PasswordResetService } from './passwords/password-reset.service.js';
import { PasswordController, ChangePasswordAddressController } from './passwords/password.controller.js';
import { PasswordService } from './passwords/password.service.js';
import { ProfileCompletionService } from './registration/profile-completion.service.js';
import { PasswordStrength } from './passwords/password-strength.service.js';
import { RegistrationService } from './registration/registration.service.js';
import { PasskeyCookie, PendingCookie, SignInCookie } from './shared/browser-cookies.js';
import { SessionCookie } from './sessions/session-cookie.service.js';
import { SessionService } from './sessions/session.service.js';
import { FactorSignInController } from './sign-in/factor-sign-in.controller.js';
import { PendingSignIn } from './sign-in/pending-sign-in.entity.js';
import { SignInMailController } from './sign-in/sign-in-mail.controller.js';
import { SignInMailService } from './sign-in/sign-in-mail.service.js';
import { SignInService } from './sign-in/sign-in.service.js';
import {
  BegunSignIn,
  ExternalIdentity,
  PendingIdentityLink,
} from './single-sign-on/entities/external-identity.entity.js';
import { IdentitiesController } from './single-sign-on/identities.controller.js';
import { SingleSignOnController } from './single-sign-on/single-sign-on.controller.js';
import { SingleUseTokenService } from './tokens/single-use-token.service.js';
import { SuperAdminService } from './users/super-admin.service.js';
import { TemporaryPasswordPort } from './passwords/temporary-password.port.js';
import { UsernameChangeService } from './registration/username-change.service.js';
import { SignInFailures } from './trail/sign-in-failures.service.js';
import { TokenNetworks } from './trail/token-networks.service.js';
import { UsernameService } from './registration/username.service.js';
import { UserService } from './users/user.service.js';
import { VerificationCodeService } from './registration/verification-code.service.js';
import { AccountMailer } from './tokens/account-mailer.js';
import { RegistrationMailer } from './registration/registration-mailer.js';
import { ExpiredSecrets } from './tokens/expired-secrets.js';
import { SecurityMailer } from './trail/security-mailer.js';

@Module({
  imports: [
    MikroOrmModule.forFeature([
      User,
      Session,
      KnownDevice,
      EmailVerification,
      SingleUseToken,
      ApiToken,
      ApiTokenNetwork,
      UsernameChange,
    ]),
    MikroOrmModule.forFeature([BegunSignIn, EmailChange, ExternalIdentity, PendingIdentityLink]),
    MikroOrmModule.forFeature([Authenticator, Passkey, PasskeyChallenge, PendingSignIn, RecoveryCode]),
    PassportModule,
  ],
  controllers: [
    AuthController,
    ChangePasswordAddressController,
    ConfirmationController,
    EmailChangeController,
    FactorSignInController,
    FactorsController,
    IdentitiesController,
    PasskeySignInController,
    PasskeysController,
    PasswordController,
    SignInMailController,
    SingleSignOnController,
  ],
  providers: [
    { provide: APP_GUARD, useClass: AuthenticationGuard },
    { provide: APP_GUARD, useClass: AccessGuard },
    AccountMailer,
    AddressVerificationService,
    ApiTokenService,
    Askers,
    AuthenticatorService,
    BegunSignIns,
    ConfirmationService,
    CredentialService,
    DeviceRegistry,
    EmailChangeMailer,
    EmailChangeService,
    EmailLinks,
    EmailMover,
    EmailUndo,
    EntryAnswer,
    ExpiredSecrets,
    ExternalAccounts,
    FactorChecker,
    FactorEnrolment,
    FactorRemover,
    FactorSignIn,
    FactorTries,
    IdentityLinking,
    IdentityProvider,
    LinkedIdentities,
    LocalStrategy,
    PasskeyChallenges,
    PasskeyChecker,
    PasskeyCookie,
    PasskeyRegistration,
    PasskeySignIn,
    PasswordChangeService,
    PasswordConfirmation,
    PasswordResetService,
    PasswordService,
    PasswordStrength,
    PendingCookie,
    PendingSignIns,
    ProfileCompletionService,
    RecoveryCodes,
    RegistrationMailer,
    RegistrationService,
    SecurityMailer,
    SessionCookie,
    SessionOpener,
    SessionService,
    SignInCookie,
    SignInFailures,
    SignInMailService,
    SignInService,
    SingleSignOn,
    SingleUseTokenService,
    SuperAdminService,
    TemporaryPasswordPort,
    TokenNetworks,
    UserService,
    UsernameChangeService,
    UsernameService,
    VerificationCodeService,
  ],
  exports: [
    AddressVerificationService,
    ApiTokenService,
    CredentialService,
    EmailChangeService,
    EntryAnswer,
    FactorRemover,
    PasswordConfirmation,
    PasswordResetService,
    PasswordService,
    ProfileCompletionService,
    SessionCookie,
    SessionOpener,
    SessionService,
    SignInFailures,
    SignInService,
    SingleUseTokenService,
    SuperAdminService,
    TemporaryPasswordPort,
    UsernameChangeService,
    UserService,
    VerificationCodeService,
  ],
})
export class AuthModule {}
