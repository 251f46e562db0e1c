import { ApiProperty } from '@nestjs/swagger';
import { FileDto } from '../../files/dto/file.dto.js';
import { OwnInvitationDto } from '../../zones/invitations/dto/own-invitation.dto.js';

export class HomeOwnerDto {
  /** Nothing when the owner has no name. */
  name: string;
  profileImageUrl: string | null;
}

/** A zone of somebody else, as whoever reads there sees it at home. */
export class HomeZoneDto {
  id: number;
  name: string;
  description: string;
  owner: HomeOwnerDto;
  @ApiProperty({ enum: ['admin', 'member'] })
  memberRole: 'admin' | 'member';
  /** When the membership ends; null never. */
  memberExpiresAt: Date | null;
  /** Files that others have put in since the last visit, or since joining; 100 stands for that many and more. */
  newFiles: number;
  /** When the newest file came; null without one. */
  lastFileAt: Date | null;
}

export class HomeFileDto extends FileDto {
  zoneName: string;
}

/** What somebody reads: zones of others in which their membership lasts, and what came last into them. */
export class HomeDto {
  /** Those into which a file came last first; 100 at most. */
  @ApiProperty({ type: [HomeZoneDto] })
  zones: HomeZoneDto[];
  /** The newest 12 files of all of them; what mirrors show belongs to the zone that it lies in. */
  @ApiProperty({ type: [HomeFileDto] })
  recentFiles: HomeFileDto[];
  /** Open ones to the verified address. */
  @ApiProperty({ type: [OwnInvitationDto] })
  invitations: OwnInvitationDto[];
}
