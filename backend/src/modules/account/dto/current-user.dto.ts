import { SignedInUserDto } from '../../auth/dto/signed-in-user.dto.js';

export class CurrentUserDto extends SignedInUserDto {
  /** Zones owned. */
  zoneCount: number;
  /** Shown in the footer of campaigns. */
  postalAddress: string | null;
  /** Whether a mail tells of accepted invitations to the zones owned. */
  notifyAcceptedInvitations: boolean;
  /** Whether a mail tells what became of one's suggestions. */
  notifySuggestions: boolean;
}
