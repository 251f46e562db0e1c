import { IsBoolean } from 'class-validator';
import { OptionalField } from '../../../../platform/http/parsing/fields.js';
import { localized } from '../../../../platform/http/parsing/validation.js';

/** An open invitation to the email address of the signed-in user. */
export class OwnInvitationDto {
  id: number;
  zoneName: string;
  /** Empty if the inviter has no name. */
  inviterName: string;
  /** Whether joining requires consent; otherwise `emailConsent` may be false. */
  requiresEmailOptin: boolean;
  /** The consent text, in the language of the request. */
  consentText: string;
  expiresAt: Date;
}

export class AcceptOwnInvitationDto {
  /** True agrees to `consentText`. False or omitted means no consent, which is rejected if the zone requires it. */
  @OptionalField()
  @IsBoolean(localized('This must be true or false', 'Bu değer true veya false olmalıdır'))
  emailConsent?: boolean;
}

export class EnteredZoneDto {
  zoneId: number;
}
