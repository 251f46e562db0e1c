import { ApiProperty, ApiPropertyOptional, OmitType } from '@nestjs/swagger';
import { IsString, MaxLength } from 'class-validator';
import { IsEmailAddress, NormaliseToNfc, OptionalField } from '../../../platform/http/parsing/fields.js';
import { ListQueryDto } from '../../../platform/http/lists/list.js';
import { localized } from '../../../platform/http/parsing/validation.js';
import { FileRequestDto } from '../../files/dto/file-request.dto.js';
import { FolderIdText } from '../../files/dto/folder.dto.js';
import { PublicZoneOwnerDto } from './join.dto.js';

export class EnterSharedDto {
  /** The password of the link, if it has one. */
  @ApiPropertyOptional({ maxLength: 128 })
  @NormaliseToNfc()
  @OptionalField()
  @MaxLength(128, localized('The password is too long', 'Parola çok uzun'))
  @IsString(localized('The password must be text', 'Parola bir metin olmalıdır'))
  password?: string;

  /** Required if the link asks for it, otherwise ignored. */
  @ApiPropertyOptional({ format: 'email', maxLength: 255 })
  @OptionalField()
  @IsEmailAddress()
  email?: string;
}

export class SharedFolderQueryDto {
  /** A folder in the shared folder. Default: the shared folder. */
  @FolderIdText()
  folderId?: number;
}

export class SharedListQueryDto extends ListQueryDto {
  /** A folder in the shared folder. Default: the shared folder. */
  @FolderIdText()
  folderId?: number;
}

export class SharedAbilitiesDto {
  /** Open it in the page: its pages, or the original bytes if browsers can show the type. */
  view: boolean;
  /** The original bytes can be viewed, if browsers can show the type, and downloaded. */
  download: boolean;
  /** Select, copy and search the text of its pages. */
  text: boolean;
  /** Move it to the trash of the zone: those who sent it, while files are accepted. */
  remove: boolean;
}

export class SharedFileDto {
  id: number;
  name: string;
  mimeType: string;
  size: number;
  /** Whether the visitor sent it. */
  isSent: boolean;
  can: SharedAbilitiesDto;
}

export class SharedFileDetailDto extends SharedFileDto {
  /** The folder that the file is in; null if the link shares only the file. */
  folderId: number | null;
}

export class SharedFolderDto {
  id: number;
  name: string;
}

export class SharedFolderDetailDto extends SharedFolderDto {
  /** The folders from the shared folder down to this one, inclusive. */
  path: SharedFolderDto[];
}

/** The file request of a shared folder, as a visitor sees it. */
export class SharedFileRequestDto extends OmitType(FileRequestDto, ['maxFileBytes']) {
  /** Maximum size of one file in bytes. */
  maxFileBytes: number;
}

/** What a link shares. Either `file` or `folder` is set. */
export class SharedItemDto {
  @ApiProperty({ type: SharedFileDto, nullable: true })
  file: SharedFileDto | null;
  @ApiProperty({ type: SharedFolderDto, nullable: true })
  folder: SharedFolderDto | null;
  /** False if nothing can be downloaded by this link. */
  allowDownload: boolean;
  /** What the folder requests; null if visitors can't send files by this link. */
  @ApiProperty({ type: SharedFileRequestDto, nullable: true })
  fileRequest: SharedFileRequestDto | null;
}

/** Where a member finds the shared item in a zone. Either `fileId` or `folderId` is set. */
export class SharedPlaceDto {
  zoneId: number;
  @ApiProperty({ type: 'integer', nullable: true })
  fileId: number | null;
  @ApiProperty({ type: 'integer', nullable: true })
  folderId: number | null;
}

/** A link to a file or folder as its visitors see it. */
export class SharedLinkDto {
  /** Who shares it. */
  owner: PublicZoneOwnerDto;
  /** Null means never. */
  expiresAt: Date | null;
  requiresPassword: boolean;
  needsEmail: boolean;
  /** What is shared; null until the visitor has entered. */
  @ApiProperty({ type: SharedItemDto, nullable: true })
  item: SharedItemDto | null;
  /** Where the signed-in visitor can read the item anyway, as a member of a zone; such visitors needn't enter. */
  @ApiProperty({ type: SharedPlaceDto, nullable: true })
  memberPlace: SharedPlaceDto | null;
}
