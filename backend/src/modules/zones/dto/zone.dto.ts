import { ApiProperty, PartialType } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsInt, IsNotEmpty, IsOptional, IsString, Max, MaxLength, Min } from 'class-validator';
import { localized } from '../../../platform/http/parsing/validation.js';
import { NoUrl, OneLine, IsOneOf, OptionalField, Trim } from '../../../platform/http/parsing/fields.js';

const wholeNumberMessage = localized(
  'This must be a whole number of 1 or more',
  'Bu değer 1 veya daha büyük bir tam sayı olmalıdır',
);
const versionsKeptMessage = localized(
  'Please enter a whole number from 0 to 100',
  'Lütfen 0 ile 100 arasında bir tam sayı girin',
);
const versionsDaysMessage = localized(
  'Please enter a whole number from 1 to 3,650',
  'Lütfen 1 ile 3.650 arasında bir tam sayı girin',
);
const booleanMessage = localized('This must be true or false', 'Bu değer true veya false olmalıdır');

export class CreateZoneDto {
  @Trim()
  @NoUrl()
  @OneLine()
  @MaxLength(255, localized('Zone name is too long', 'Bölge adı çok uzun'))
  @IsNotEmpty(localized('Zone name is required', 'Bölge adı zorunludur'))
  @IsString(localized('Zone name is required', 'Bölge adı zorunludur'))
  name: string;

  @OptionalField()
  @Trim()
  @MaxLength(5000, localized('Description is too long', 'Açıklama çok uzun'))
  @IsString(localized('The description must be text', 'Açıklama bir metin olmalıdır'))
  description?: string;

  /** Private zones are joined by invitation or temporary link, public zones by a permanent link. */
  @IsIn(['private', 'public'], localized('Type must be private or public', 'Tür, özel veya herkese açık olmalıdır'))
  type: 'private' | 'public';

  /** Public zones: whether people join immediately (default) or the owner approves each request. */
  @OptionalField()
  @IsBoolean(booleanMessage)
  autoJoin?: boolean;

  /** Public zones: whether people must agree to receive the zone's emails to join (default). */
  @OptionalField()
  @IsBoolean(booleanMessage)
  requiresEmailOptin?: boolean;

  /**
   * Whether links show the zone's first files to anyone who has them. Default: true for zones that don't require
   * approval.
   */
  @OptionalField()
  @IsBoolean(booleanMessage)
  showFiles?: boolean;
}

export class UpdateZoneDto extends PartialType(CreateZoneDto, { skipNullProperties: false }) {
  /** How many earlier versions of each file are kept, besides the current content. Default: 10. */
  @OptionalField()
  @IsInt(versionsKeptMessage)
  @Min(0, versionsKeptMessage)
  @Max(100, versionsKeptMessage)
  versionsKept?: number;

  /** For how many days an earlier version is kept after it was replaced; null (default): without limit. */
  @IsOptional()
  @ApiProperty({ type: 'integer', minimum: 1, maximum: 3650, nullable: true, required: false })
  @IsInt(versionsDaysMessage)
  @Min(1, versionsDaysMessage)
  @Max(3650, versionsDaysMessage)
  versionsDays?: number | null;

  /**
   * Whether it is recorded who opens files and which pages members read (default). Changing it to false keeps what was
   * recorded before.
   */
  @OptionalField()
  @IsBoolean(booleanMessage)
  recordsReading?: boolean;

  /**
   * `version` on which the change is based. If the zone has changed since, the request is rejected. Omit to skip the
   * check.
   */
  @OptionalField()
  @IsInt(wholeNumberMessage)
  @Min(1, wholeNumberMessage)
  @Max(2 ** 31 - 1, wholeNumberMessage)
  version?: number;
}

export class FavoriteDto {
  isFavorite: boolean;
}

/** What the viewer may do in the zone. Computed by zone.policy.ts, so that the frontend has no rules of its own. */
export class ZoneAbilitiesDto {
  read: boolean;
  manageFiles: boolean;
  emptyTrash: boolean;
  invite: boolean;
  seeMembers: boolean;
  manageMembers: boolean;
  share: boolean;
  manageMirrors: boolean;
  sendCampaigns: boolean;
  editSettings: boolean;
  delete: boolean;
  leave: boolean;
}

export class ZoneDto {
  id: number;
  name: string;
  description: string;
  ownerId: number;
  type: 'private' | 'public';
  isPrivate: boolean;
  isOwner: boolean;
  isActive: boolean;
  /** Whether the viewer marked it as a favourite. */
  isFavorite: boolean;
  autoJoin: boolean;
  requiresEmailOptin: boolean;
  /** Whether links to the zone show its first files. */
  showFiles: boolean;
  /** How many earlier versions of each file are kept. */
  versionsKept: number;
  /** For how many days an earlier version is kept after it was replaced; null: without limit. */
  versionsDays: number | null;
  /** Whether it is recorded who opens files and which pages members read. */
  recordsReading: boolean;
  /** Maximum size of one file in bytes, for people who may upload; otherwise null. */
  @ApiProperty({ type: 'integer', nullable: true })
  maxFileBytes: number | null;
  /** Token of the permanent link, for people who may share it; otherwise and for private zones null. */
  publicLink: string | null;
  fileCount: number;
  folderCount: number;
  /** Size of its files in bytes, including the trash and earlier versions, without mirrors. */
  totalBytes: number;
  /** Excluding the owner and expired memberships. */
  memberCount: number;
  /** Role of the viewer. */
  @ApiProperty({ enum: ['owner', 'admin', 'member'] })
  memberRole: 'owner' | 'admin' | 'member';
  /** When the viewer's membership ends; null if never. */
  memberExpiresAt: Date | null;
  /** What the viewer may do. */
  can: ZoneAbilitiesDto;
  /** Increases with every change of the name, description, join settings, link preview, kept versions or recording. */
  version: number;
  createdAt: Date;
  /** When the zone's fields, files or folders last changed. */
  updatedAt: Date;
}

export class DeleteZoneQueryDto {
  /**
   * Also delete a zone that is sold. Without it, such a zone is refused with ZONE_IN_USE, which says how it is sold.
   */
  @IsOneOf(['true', 'false'], localized('This must be true or false', 'Bu değer true veya false olmalıdır'))
  evenIfUsed?: 'true' | 'false';
}
