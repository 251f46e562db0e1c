import { SignedInUserDto } from '../../auth/dto/signed-in-user.dto.js';
import { ApiProperty } from '@nestjs/swagger';
import { emailDeliveries, type EmailDelivery } from '../../../platform/mail/mail-health.service.js';

export class CurrentUserDto extends SignedInUserDto {
  /** An admin who must set up a second factor before anything else answers (STAFF_MFA). */
  factorNeeded: boolean;
  /** Without one, signing in goes by a provider of identities; one can be set after a confirmation. */
  hasPassword: boolean;
  /** Zones owned. */
  zoneCount: number;
  /** Zones of others that the person is in. */
  sharedZoneCount: number;
  /** No zone is owned, none is read in, and an invitation to the address waits. */
  isOnlyInvited: boolean;
  /** Shown in the footer of campaigns. */
  postalAddress: string | null;
  /** Whether a mail tells of accepted invitations to the zones owned. */
  notifyAcceptedInvitations: boolean;
  /** Whether a mail tells what became of one's suggestions. */
  notifySuggestions: boolean;
  /** Whether a mail tells administrators once a day what is new. */
  notifyAdministration: boolean;
  /**
   * Whether emails of this installation reach people: `none` while no mail server is set, and they are kept here;
   * `untested` until the server that is set has accepted one.
   */
  @ApiProperty({ enum: emailDeliveries })
  emailDelivery: EmailDelivery;
}

export class CurrentSessionDto {
  /** Who is signed in; null when nobody is. */
  @ApiProperty({ type: CurrentUserDto, nullable: true })
  user: CurrentUserDto | null;
}
