import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsNotEmpty, IsString, MaxLength, ValidateIf } from 'class-validator';
import { IsEmailAddress, OptionalField } from '../../../../platform/http/parsing/fields.js';
import { MissingMessage, localized } from '../../../../platform/http/parsing/validation.js';
import { FirstNameRule, LastNameRule, NewPasswordRule, UsernameRule } from '../../../auth/dto/profile-rules.dto.js';

const tokenMessage = localized(
  'This invitation link is invalid or expired',
  'Bu davet bağlantısı geçersiz veya süresi dolmuş',
);
const passwordTooLongMessage = localized('Password is too long', 'Parola çok uzun');
const invalidInputMessage = localized('Invalid input', 'Geçersiz değer');

/** The invitation that an emailed link belongs to. */
export class InvitationInfoDto {
  zoneName: string;
  /** Empty if the inviter has no name. */
  inviterName: string;
  /** The email address that the invitation is for. */
  email: string;
  /**
   * True if the person can sign in with a password or an identity provider. Everyone else is signed in by accepting.
   */
  isExistingUser: boolean;
  /** True if it has already been accepted. */
  isAccepted: boolean;
  /** Whether joining requires consent; otherwise `emailConsent` may be false. */
  requiresEmailOptin: boolean;
  /** The consent text, in the language of the request. */
  consentText: string;
  expiresAt: Date;
}

const withProfile = (dto: AcceptInviteDto) =>
  [dto.firstName, dto.lastName, dto.username, dto.newPassword].some((value) => value !== undefined);

@MissingMessage('Please fill in all required fields', 'Lütfen tüm zorunlu alanları doldurun')
export class AcceptInviteDto {
  /** The last part of the emailed link. */
  @ApiProperty({ maxLength: 200 })
  @IsString(tokenMessage)
  @MaxLength(200, tokenMessage)
  @IsNotEmpty(tokenMessage)
  token: string;

  /** Must be the email address that the invitation is for. */
  @ApiProperty({ format: 'email', maxLength: 255 })
  @IsEmailAddress()
  email: string;

  /**
   * The temporary password from the email, if the link has been used before. The first time, the link alone is enough.
   */
  @ApiPropertyOptional({ maxLength: 200 })
  @OptionalField()
  @IsString(passwordTooLongMessage)
  @MaxLength(200, passwordTooLongMessage)
  password?: string;

  /** What the page showed; ignored by the server. */
  @OptionalField()
  @IsBoolean(invalidInputMessage)
  existingUser?: boolean;

  /**
   * True agrees to `consentText`. If the zone requires consent, false is rejected, and omitting it returns
   * `requiresConsent` without changing anything. Otherwise, both mean no consent.
   */
  @OptionalField()
  @IsBoolean(invalidInputMessage)
  emailConsent?: boolean;

  @ApiPropertyOptional({ minLength: 1, maxLength: 50 })
  @ValidateIf(withProfile)
  @FirstNameRule()
  firstName?: string;

  @ApiPropertyOptional({ minLength: 1, maxLength: 50 })
  @ValidateIf(withProfile)
  @LastNameRule()
  lastName?: string;

  /** Letters, digits and underscores; stored in lower case. */
  @ApiPropertyOptional({ minLength: 3, maxLength: 30 })
  @ValidateIf(withProfile)
  @UsernameRule()
  username?: string;

  @ApiPropertyOptional({ minLength: 8, maxLength: 200 })
  @ValidateIf(withProfile)
  @NewPasswordRule()
  newPassword?: string;
}

export class AcceptedDto {
  /** Human-readable, in the language of the request. */
  message: string;
  zoneName: string;
  /** After a temporary password: set a permanent password next with POST /api/change-password. */
  requiresPasswordChange: boolean;
  /** After a temporary password: names, username and password are required next. */
  requiresProfileCompletion: boolean;
  /** The zone requires consent. Repeat the request with `emailConsent`. Nothing has changed yet. */
  requiresConsent: boolean;
  /** The consent text; null unless consent is required now. */
  consentText: string | null;
  /** Where to continue. */
  redirectUrl: string;
}
