import { ApiProperty } from '@nestjs/swagger';
import { FileDto } from '../../files/dto/file.dto.js';
import { UnfinishedDocumentDto } from '../../files/dto/reading-position.dto.js';
import { OwnInvitationDto } from '../../zones/invitations/dto/own-invitation.dto.js';

export class HomeOwnerDto {
  /** Empty if the owner has no name. */
  name: string;
  profileImageUrl: string | null;
}

/** A zone on the home page of a member. */
export class HomeZoneDto {
  id: number;
  name: string;
  description: string;
  owner: HomeOwnerDto;
  @ApiProperty({ enum: ['admin', 'member'] })
  memberRole: 'admin' | 'member';
  /** When the membership ends; null if never. */
  memberExpiresAt: Date | null;
  /** Files added by others since the last visit or since joining; 100 means 100 or more. */
  newFiles: number;
  /** When the newest file was added; null without files. */
  lastFileAt: Date | null;
}

export class HomeFileDto extends FileDto {
  zoneName: string;
}

/**
 * The user's home page: the zones they are an active member of, documents they began to read, the newest files and open
 * invitations.
 */
export class HomeDto {
  /** Zones with the newest files first; at most 100. */
  @ApiProperty({ type: [HomeZoneDto] })
  zones: HomeZoneDto[];
  /** Up to 6 documents that the user began to read and hasn't read to the end, latest first. */
  @ApiProperty({ type: [UnfinishedDocumentDto] })
  continueReading: UnfinishedDocumentDto[];
  /** The newest 12 files of all zones; mirrored files count for their source zone. */
  @ApiProperty({ type: [HomeFileDto] })
  recentFiles: HomeFileDto[];
  /** Open invitations to the verified email address. */
  @ApiProperty({ type: [OwnInvitationDto] })
  invitations: OwnInvitationDto[];
}
