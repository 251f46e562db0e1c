import { ApiTokenRepository } from './tokens/api-token.repository.js';
import { EmailChangeRepository } from './email-change/email-change.repository.js';
import { KnownDeviceRepository } from './devices/known-device.repository.js';
import { MfaRepository } from './mfa/mfa.repository.js';
import { PasskeyRepository } from './passkeys/passkey.repository.js';
import { SessionRepository } from './sessions/session.repository.js';
import { SingleSignOnRepository } from './single-sign-on/single-sign-on.repository.js';
import { VerificationCodeRepository } from './registration/verification-code.repository.js';
import { EmailChangeService } from './email-change/email-change.service.js';
import { EmailChangeLinksService } from './email-change/email-change-links.service.js';
import { EmailChangeApplierService } from './email-change/email-change-applier.service.js';
import { EmailChangeReversalService } from './email-change/email-change-reversal.service.js';
import { EmailChangeMailer } from './email-change/email-change-mailer.js';
import { PasskeyChallengeService } from './passkeys/passkey-challenge.service.js';
import { PasskeyVerificationService } from './passkeys/passkey-verification.service.js';
import { PasskeyRegistrationService } from './passkeys/passkey-registration.service.js';
import { PasskeySignInService } from './passkeys/passkey-sign-in.service.js';
import { SignInResponseService } from './sign-in/sign-in-response.service.js';
import { MfaSignInService } from './sign-in/mfa-sign-in.service.js';
import { PendingSignInRepository } from './sign-in/pending-sign-in.repository.js';
import { SessionIssuerService } from './sign-in/session-issuer.service.js';
import { AuthenticatorService } from './mfa/authenticator.service.js';
import { MfaVerificationService } from './mfa/mfa-verification.service.js';
import { MfaEnrolmentService } from './mfa/mfa-enrolment.service.js';
import { MfaRemovalService } from './mfa/mfa-removal.service.js';
import { MfaAttemptLimiterService } from './mfa/mfa-attempt-limiter.service.js';
import { RecoveryCodeService } from './mfa/recovery-code.service.js';
import { SsoAuthorizationRequestService } from './single-sign-on/sso-authorization-request.service.js';
import { ExternalAccountService } from './single-sign-on/external-account.service.js';
import { IdentityLinkingService } from './single-sign-on/identity-linking.service.js';
import { IdentityProviderService } from './single-sign-on/identity-provider.service.js';
import { LinkedIdentityService } from './single-sign-on/linked-identity.service.js';
import { SingleSignOnService } from './single-sign-on/single-sign-on.service.js';
import { MikroOrmModule } from '@mikro-orm/nestjs';
import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { PassportModule } from '@nestjs/passport';
import { AccessGuard } from './access/access.guard.js';
import { EmailVerificationService } from './registration/email-verification.service.js';
import { ApiTokenService } from './tokens/api-token.service.js';
import { RequesterFingerprintService } from './shared/requester-fingerprint.service.js';
import { AuthController } from './sign-in/auth.controller.js';
import { AuthenticationGuard } from './access/authentication.guard.js';
import { EmailChangeController } from './email-change/email-change.controller.js';
import { EmailChange } from './email-change/entities/email-change.entity.js';
import { ApiToken, ApiTokenNetwork } from './entities/api-token.entity.js';
import { ConfirmationController } from './confirmation/confirmation.controller.js';
import { ReauthenticationService } from './confirmation/reauthentication.service.js';
import { CredentialService } from './passwords/credential.service.js';
import { EmailVerification, SingleUseToken } from './entities/single-use-token.entity.js';
import { Authenticator, RecoveryCode } from './mfa/entities/authenticator.entity.js';
import { FactorsController } from './mfa/factors.controller.js';
import { Session } from './entities/session.entity.js';
import { KnownDeviceService } from './devices/known-device.service.js';
import { KnownDevice } from './devices/known-device.entity.js';
import { User, UsernameChange } from './entities/user.entity.js';
import { PasskeyChallenge, Passkey } from './passkeys/entities/passkey.entity.js';
import { PasskeySignInController } from './passkeys/passkey-sign-in.controller.js';
import { PasskeysController } from './passkeys/passkeys.controller.js';
import { LocalStrategy } from './sign-in/local-auth.guard.js';
import { PasswordChangeService } from './passwords/password-change.service.js';
import { PasswordConfirmationService } from './passwords/password-confirmation.service.js';
import { PasswordResetService } from './passwords/password-reset.service.js';
import { PasswordController, ChangePasswordAddressController } from './passwords/password.controller.js';
import { PasswordHashCost, PasswordHashService } from './passwords/password-hash.service.js';
import { ProfileCompletionService } from './registration/profile-completion.service.js';
import { PasswordStrengthService } from './passwords/password-strength.service.js';
import { RegistrationService } from './registration/registration.service.js';
import { PasskeyCookie, PendingSignInCookie, SsoCookie } from './shared/browser-cookies.js';
import { SessionCookieService } from './sessions/session-cookie.service.js';
import { SessionService } from './sessions/session.service.js';
import { FactorSignInController } from './sign-in/factor-sign-in.controller.js';
import { PendingSignIn } from './sign-in/pending-sign-in.entity.js';
import { SignInMailController } from './sign-in/sign-in-email.controller.js';
import { SignInEmailService } from './sign-in/sign-in-email.service.js';
import { SignInService } from './sign-in/sign-in.service.js';
import {
  SsoAuthorizationRequest,
  ExternalIdentity,
  PendingIdentityLink,
} from './single-sign-on/entities/external-identity.entity.js';
import { IdentitiesController } from './single-sign-on/identities.controller.js';
import { SingleSignOnController } from './single-sign-on/single-sign-on.controller.js';
import { SingleUseTokenRepository } from './tokens/single-use-token.repository.js';
import { SuperAdminService } from './users/super-admin.service.js';
import { TemporaryPasswordPort } from './passwords/temporary-password.port.js';
import { UsernameChangeService } from './registration/username-change.service.js';
import { AuthFailureService } from './security-events/auth-failure.service.js';
import { ApiTokenNetworkService } from './security-events/api-token-network.service.js';
import { UsernameAvailabilityService } from './registration/username-availability.service.js';
import { UserRepository } from './users/user.repository.js';
import { UserService } from './users/user.service.js';
import { VerificationCodeService } from './registration/verification-code.service.js';
import { AccountMailer } from './tokens/account-mailer.js';
import { RegistrationMailer } from './registration/registration-mailer.js';
import { ExpiredSecretsService } from './tokens/expired-secrets.service.js';
import { SecurityEventMailer } from './security-events/security-event-mailer.js';

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
    MikroOrmModule.forFeature([SsoAuthorizationRequest, EmailChange, ExternalIdentity, PendingIdentityLink]),
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
    EmailVerificationService,
    ApiTokenRepository,
    ApiTokenService,
    RequesterFingerprintService,
    AuthenticatorService,
    SsoAuthorizationRequestService,
    ReauthenticationService,
    CredentialService,
    KnownDeviceRepository,
    KnownDeviceService,
    EmailChangeMailer,
    EmailChangeRepository,
    EmailChangeService,
    EmailChangeLinksService,
    EmailChangeApplierService,
    EmailChangeReversalService,
    SignInResponseService,
    ExpiredSecretsService,
    ExternalAccountService,
    MfaRepository,
    MfaVerificationService,
    MfaEnrolmentService,
    MfaRemovalService,
    MfaSignInService,
    MfaAttemptLimiterService,
    IdentityLinkingService,
    IdentityProviderService,
    LinkedIdentityService,
    LocalStrategy,
    PasskeyChallengeService,
    PasskeyVerificationService,
    PasskeyCookie,
    PasskeyRegistrationService,
    PasskeyRepository,
    PasskeySignInService,
    PasswordChangeService,
    PasswordConfirmationService,
    PasswordResetService,
    PasswordHashCost,
    PasswordHashService,
    PasswordStrengthService,
    PendingSignInCookie,
    PendingSignInRepository,
    ProfileCompletionService,
    RecoveryCodeService,
    RegistrationMailer,
    RegistrationService,
    SecurityEventMailer,
    SessionCookieService,
    SessionIssuerService,
    SessionRepository,
    SessionService,
    SsoCookie,
    AuthFailureService,
    SignInEmailService,
    SignInService,
    SingleSignOnRepository,
    SingleSignOnService,
    SingleUseTokenRepository,
    SuperAdminService,
    TemporaryPasswordPort,
    ApiTokenNetworkService,
    UserRepository,
    UserService,
    UsernameChangeService,
    UsernameAvailabilityService,
    VerificationCodeRepository,
    VerificationCodeService,
  ],
  exports: [
    EmailVerificationService,
    ApiTokenRepository,
    ApiTokenService,
    CredentialService,
    EmailChangeService,
    SignInResponseService,
    MfaRemovalService,
    PasswordConfirmationService,
    PasswordResetService,
    PasswordHashService,
    ProfileCompletionService,
    SessionCookieService,
    SessionIssuerService,
    SessionRepository,
    SessionService,
    AuthFailureService,
    SignInService,
    SingleSignOnRepository,
    SingleUseTokenRepository,
    SuperAdminService,
    TemporaryPasswordPort,
    UsernameChangeService,
    UserRepository,
    UserService,
    VerificationCodeRepository,
    VerificationCodeService,
  ],
})
export class AuthModule {}
