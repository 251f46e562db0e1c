import { IsBoolean } from 'class-validator';
import { Optional } from '../../../../platform/http/reading/fields.js';
import { say } from '../../../../platform/http/reading/validation.js';

/** An open invitation to the address of whoever is signed in. */
export class OwnInvitationDto {
  id: number;
  zoneName: string;
  /** Nothing when whoever invited has no name. */
  inviterName: string;
  /** Whether joining needs the consent; otherwise `emailConsent` may be false. */
  requiresEmailOptin: boolean;
  /** The words that accepting agrees to, in the language of the request. */
  consentText: string;
  expiresAt: Date;
}

export class AcceptOwnInvitationDto {
  /** True is agreeing to `consentText`. Left out is the same as false: no consent, refused where it is needed. */
  @Optional()
  @IsBoolean(say('This must be true or false', 'Bu değer true veya false olmalıdır'))
  emailConsent?: boolean;
}

export class EnteredZoneDto {
  zoneId: number;
}
