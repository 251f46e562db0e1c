import { SignedInUserDto } from '../../auth/dto/signed-in-user.dto.js';
import { ApiProperty } from '@nestjs/swagger';
import { emailDeliveries, type EmailDelivery } from '../../../platform/email/mail-server-health.service.js';

export class CurrentUserDto extends SignedInUserDto {
  /** True for an admin who must set up two-step sign-in before anything else is allowed (STAFF_MFA). */
  factorNeeded: boolean;
  /** False if the person signs in with an identity provider; a password can be set after a confirmation. */
  hasPassword: boolean;
  /** Zones owned. */
  zoneCount: number;
  /** Number of zones that others share with the person. */
  sharedZoneCount: number;
  /** True if the person has no zones but an open invitation. */
  isOnlyInvited: boolean;
  /** Shown in the footer of campaigns. */
  postalAddress: string | null;
  /** Whether to send an email about accepted invitations. */
  notifyAcceptedInvitations: boolean;
  /** Whether to send an email about the person's suggestions. */
  notifySuggestions: boolean;
  /** Whether administrators get a daily summary by email. */
  notifyAdministration: boolean;
  /**
   * Whether emails of this site are delivered: `none` while no email server is set and emails are kept here; `untested`
   * until the email server has accepted an email.
   */
  @ApiProperty({ enum: emailDeliveries })
  emailDelivery: EmailDelivery;
}

export class CurrentSessionDto {
  /** The signed-in user; null if nobody is signed in. */
  @ApiProperty({ type: CurrentUserDto, nullable: true })
  user: CurrentUserDto | null;
}
