import { ApiProperty, PartialType } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsInt, IsNotEmpty, IsString, Max, MaxLength, Min } from 'class-validator';
import { say } from '../../../platform/http/reading/validation.js';
import { NoPageAddress, OneLine, OneOf, Optional, Trimmed } from '../../../platform/http/reading/fields.js';

const wholeNumber = say('This must be a whole number from 1 on', 'Bu değer 1 veya daha büyük bir tam sayı olmalıdır');
const yesOrNo = say('This must be true or false', 'Bu değer true veya false olmalıdır');

export class CreateZoneDto {
  @Trimmed()
  @NoPageAddress()
  @OneLine()
  @MaxLength(255, say('Zone name is too long', 'Bölge adı çok uzun'))
  @IsNotEmpty(say('Zone name is required', 'Bölge adı zorunludur'))
  @IsString(say('Zone name is required', 'Bölge adı zorunludur'))
  name: string;

  @Optional()
  @Trimmed()
  @MaxLength(5000, say('Description is too long', 'Açıklama çok uzun'))
  @IsString(say('The description must be a text', 'Açıklama bir metin olmalıdır'))
  description?: string;

  /** Private zones are reached by invitation or temporary link, public ones by a permanent link. */
  @IsIn(['private', 'public'], say('Type must be private or public', 'Tür, özel veya herkese açık olmalıdır'))
  type: 'private' | 'public';

  /** Public zones: joining takes effect at once (default), or the owner approves each request. */
  @Optional()
  @IsBoolean(yesOrNo)
  autoJoin?: boolean;

  /** Public zones: whoever joins must agree to the zone's mails (default). */
  @Optional()
  @IsBoolean(yesOrNo)
  requiresEmailOptin?: boolean;

  /** Links to the zone name its first files to whoever holds them: by default those of zones that do not ask their owner. */
  @Optional()
  @IsBoolean(yesOrNo)
  showFiles?: boolean;
}

export class UpdateZoneDto extends PartialType(CreateZoneDto, { skipNullProperties: false }) {
  /** `version` of the zone that the change is based on; one that was changed since is left alone. Left out, it is not asked. */
  @Optional()
  @IsInt(wholeNumber)
  @Min(1, wholeNumber)
  @Max(2 ** 31 - 1, wholeNumber)
  version?: number;
}

export class FavoriteDto {
  isFavorite: boolean;
}

// Sent to the page with the zone, which never decides by itself; zone.policy.ts says who has them.
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
  /** Of the viewer. */
  isFavorite: boolean;
  autoJoin: boolean;
  requiresEmailOptin: boolean;
  /** Links to the zone name its first files. */
  showFiles: boolean;
  /** Token of the permanent link, for those who may share; null otherwise and for private zones. */
  publicLink: string | null;
  fileCount: number;
  folderCount: number;
  /** Bytes of its files, those in the trash included; mirrors hold none. */
  totalBytes: number;
  /** Without the owner and without expired memberships. */
  memberCount: number;
  /** Role of the viewer. */
  @ApiProperty({ enum: ['owner', 'admin', 'member'] })
  memberRole: 'owner' | 'admin' | 'member';
  /** When the viewer's membership ends; null never. */
  memberExpiresAt: Date | null;
  /** What the viewer may do. */
  can: ZoneAbilitiesDto;
  /** Grows with every change of name, description, who may join or what links show. */
  version: number;
  createdAt: Date;
  /** When its own fields changed last, or what it shows: files and folders that came, changed or went. */
  updatedAt: Date;
}

export class DeleteZoneQueryDto {
  /** Deletes a zone that purchases open as well; without it that is answered by ZONE_IN_USE, which says what opens it. */
  @OneOf(['true', 'false'], say('Please answer by true or false', 'Lütfen true veya false yazın'))
  evenIfUsed?: 'true' | 'false';
}
