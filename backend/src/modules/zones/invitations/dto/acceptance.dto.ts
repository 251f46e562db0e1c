import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsNotEmpty, IsString, MaxLength, ValidateIf } from 'class-validator';
import { EmailRule, Optional } from '../../../../platform/http/reading/fields.js';
import { MissingMessage, say } from '../../../../platform/http/reading/validation.js';
import { FirstNameRule, LastNameRule, NewPasswordRule, UsernameRule } from '../../../auth/dto/profile-rules.dto.js';

const noToken = say('This invitation link is invalid or expired', 'Bu davet bağlantısı geçersiz veya süresi dolmuş');
const tooLong = say('Password is too long', 'Parola çok uzun');
const wrong = say('Invalid input', 'Geçersiz değer');

/** What the link of a mail leads to. */
export class InvitationInfoDto {
  zoneName: string;
  /** Nothing when whoever invited has no name. */
  inviterName: string;
  /** The one address that the invitation is for. */
  email: string;
  /** True when the person can sign in by a password or an identity provider; everybody else is signed in by accepting. */
  isExistingUser: boolean;
  /** True when it was accepted before. */
  isAccepted: boolean;
  /** Whether joining needs the consent; otherwise `emailConsent` may be false. */
  requiresEmailOptin: boolean;
  /** The words that accepting agrees to, in the language of the request. */
  consentText: string;
  expiresAt: Date;
}

const withProfile = (dto: AcceptInviteDto) =>
  [dto.firstName, dto.lastName, dto.username, dto.newPassword].some((value) => value !== undefined);

@MissingMessage('Please fill in all required fields', 'Lütfen tüm zorunlu alanları doldurun')
export class AcceptInviteDto {
  /** The last part of the mailed link. */
  @ApiProperty({ maxLength: 200 })
  @IsString(noToken)
  @MaxLength(200, noToken)
  @IsNotEmpty(noToken)
  token: string;

  /** Must be the address that the invitation is for. */
  @ApiProperty({ format: 'email', maxLength: 255 })
  @EmailRule()
  email: string;

  /** The temporary password of the mail, for whom the link has let in before; the link alone is enough the first time. */
  @ApiPropertyOptional({ maxLength: 200 })
  @Optional()
  @IsString(tooLong)
  @MaxLength(200, tooLong)
  password?: string;

  /** What the page showed. Which it is, the server knows. */
  @Optional()
  @IsBoolean(wrong)
  existingUser?: boolean;

  /**
   * True agrees to `consentText`. Where the zone requires it, false is refused, and without it the answer asks for it
   * (`requiresConsent`) and changes nothing. Elsewhere both mean no consent.
   */
  @Optional()
  @IsBoolean(wrong)
  emailConsent?: boolean;

  @ApiPropertyOptional({ minLength: 1, maxLength: 50 })
  @ValidateIf(withProfile)
  @FirstNameRule()
  firstName?: string;

  @ApiPropertyOptional({ minLength: 1, maxLength: 50 })
  @ValidateIf(withProfile)
  @LastNameRule()
  lastName?: string;

  /** Letters, digits and underscores; kept in lower case. */
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
  /** For people, in the language of the request. */
  message: string;
  zoneName: string;
  /** After a temporary password: set a password of your own next: POST /api/change-password. */
  requiresPasswordChange: boolean;
  /** After a temporary password: names, user name and password are asked for next. */
  requiresProfileCompletion: boolean;
  /** The zone requires the consent: call again with `emailConsent`. Nothing has changed yet. */
  requiresConsent: boolean;
  /** What the consent agrees to; null unless it is required now. */
  consentText: string | null;
  /** Where to continue. */
  redirectUrl: string;
}
