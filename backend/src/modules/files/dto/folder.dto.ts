import { IsIn, IsString, IsInt, IsOptional, Max, Min } from 'class-validator';
import { WindowQueryDto } from '../../../platform/http/lists/list.js';
import { localized } from '../../../platform/http/parsing/validation.js';
import { applyDecorators } from '@nestjs/common';
import { ApiProperty, PickType } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { FileRequestDto } from './file-request.dto.js';

const folderMessage = localized("This isn't a folder", 'Bu bir klasör değil');

/** Optional folder id; omitted for the root. */
export const FolderIdRule = () =>
  applyDecorators(
    IsOptional(),
    IsInt(folderMessage),
    Min(1, folderMessage),
    Max(Number.MAX_SAFE_INTEGER, folderMessage),
  );

/** Like `FolderIdRule`, for queries and forms: parses numbers and treats an empty field as omitted. */
export const FolderIdText = () =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => (value === '' ? undefined : Number(value))),
    FolderIdRule(),
  );

export class FolderListQueryDto extends WindowQueryDto {
  /** The folder whose subfolders are listed. Default: the root of the zone. */
  @FolderIdText()
  parentId?: number;

  /** Folders are sorted by name. */
  @IsOptional()
  @IsIn(['asc', 'desc'], localized('The order must be asc or desc', 'Sıra asc veya desc olmalıdır'))
  order?: 'asc' | 'desc';

  /**
   * List all folders of the zone at any level, each with its `parentId`, instead of one folder's subfolders; without
   * folders in mirrors.
   */
  @IsOptional()
  @IsIn(['true', 'false'], localized('all must be true or false', 'all true veya false olmalıdır'))
  all?: 'true' | 'false';
}

export class FolderPositionQueryDto extends PickType(FolderListQueryDto, ['parentId', 'order']) {
  /** A folder directly in the parent folder. */
  @Type(() => Number)
  @IsInt(folderMessage)
  @Min(1, folderMessage)
  @Max(Number.MAX_SAFE_INTEGER, folderMessage)
  folderId: number;
}

export class CreateFolderDto {
  @IsString(localized('Please enter a name.', 'Lütfen bir ad girin.'))
  name: string;

  /** The parent folder. Default: the root of the zone. */
  @FolderIdRule()
  parentId?: number | null;
}

export class RenameFolderDto {
  @IsString(localized('Please enter a name.', 'Lütfen bir ad girin.'))
  name: string;
}

export class FolderAbilitiesDto {
  /** Upload files to it. */
  upload: boolean;
  /** Create folders in it; not below the deepest level. */
  createFolder: boolean;
  rename: boolean;
  /** Move it; not possible for mirrors, which stay at the root. */
  move: boolean;
  delete: boolean;
  /** Create links to it for people outside; not possible for mirrors. */
  share: boolean;
}

export class FolderDto {
  id: number;
  name: string;
  /** The zone in which the folder is shown; for mirrored folders, the zone of the mirror. */
  zoneId: number;
  /** null at the root. */
  parentId: number | null;
  /** null if the account was deleted. */
  createdById: number | null;
  /** Files directly in it. */
  fileCount: number;
  /** Folders directly in it. */
  folderCount: number;
  /** True if it mirrors a folder of another zone. */
  isMirror: boolean;
  /** True in a mirror: nothing can be changed in it. */
  readOnly: boolean;
  /** What members may send to it; null if it requests no files, and in a mirror. */
  @ApiProperty({ type: FileRequestDto, nullable: true })
  fileRequest: FileRequestDto | null;
  createdAt: Date;
  updatedAt: Date;
  /** Actions that the viewer may perform. */
  can: FolderAbilitiesDto;
}

export class FolderPathDto {
  id: number;
  name: string;
}

export class FolderDetailDto extends FolderDto {
  /** The folders from the root of the zone down to this one, inclusive. */
  path: FolderPathDto[];
}
