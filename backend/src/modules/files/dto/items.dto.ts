import { ApiProperty } from '@nestjs/swagger';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsUUID,
  Max,
  Min,
  ValidateIf,
} from 'class-validator';
import { applyDecorators } from '@nestjs/common';
import { OptionalField } from '../../../platform/http/parsing/fields.js';
import { localized } from '../../../platform/http/parsing/validation.js';

/** Maximum numbers of files and of folders per request. */
const MAX_FILES = 10_000;
const MAX_FOLDERS = 1_000;

const ids = (maxCount: number) => {
  const wrong = localized('Please give a list of ids', 'Lütfen bir kimlik listesi verin');
  return applyDecorators(
    OptionalField(),
    IsArray(wrong),
    ArrayMaxSize(maxCount, localized(`At most ${maxCount} at a time`, `Bir seferde en fazla ${maxCount}`)),
    IsInt({ each: true, ...wrong }),
    Min(1, { each: true, ...wrong }),
    Max(Number.MAX_SAFE_INTEGER, { each: true, ...wrong }),
  );
};

export class ItemsDto {
  /** At most 10,000. */
  @ids(MAX_FILES)
  fileIds?: number[];

  /** At most 1,000. */
  @ids(MAX_FOLDERS)
  folderIds?: number[];
}

/** Items to download as an archive. */
export class DownloadDto extends ItemsDto {
  /** Everything that the viewer sees in the zone; ids are ignored. */
  @OptionalField()
  @IsBoolean(localized('This must be true or false', 'Bu değer true veya false olmalıdır'))
  all?: boolean;
}

const targetMessage = localized('Please give a folder, or null for the root', 'Bir klasör ya da kök için null verin');

/** Target of a move. */
export class MoveDto {
  /** The target folder; null for the root of the zone. */
  @ApiProperty({ type: 'integer', nullable: true })
  @ValidateIf((dto: MoveDto) => dto.targetFolderId !== null)
  @IsInt(targetMessage)
  @Min(1, targetMessage)
  @Max(Number.MAX_SAFE_INTEGER, targetMessage)
  targetFolderId: number | null;

  /**
   * `rename` adds a number to conflicting names, as in "name (1).ext". Otherwise, one conflict rejects the whole move.
   */
  @IsOptional()
  @IsIn(['rename'], localized('onConflict must be rename', 'onConflict rename olmalıdır'))
  onConflict?: 'rename';
}

export class MoveItemsDto extends MoveDto {
  /** At most 10,000. */
  @ids(MAX_FILES)
  fileIds?: number[];

  /** At most 1,000. */
  @ids(MAX_FOLDERS)
  folderIds?: number[];
}

export class MovedDto {
  /** Number of items that were moved. */
  moved: number;
}

export class TrashedDto {
  /** Id for restoring everything with `trash/restore`; null if only mirrors were removed. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  trashId: string | null;
  /** Including subfolders. */
  files: number;
  folders: number;
}

export class TrashEntryDto {
  @ApiProperty({ enum: ['file', 'folder'] })
  kind: 'file' | 'folder';
  /** Of the file or folder. */
  id: number;
  /** Shared by all items of one deletion. */
  trashId: string;
  name: string;
  /** null for a folder. */
  mimeType: string | null;
  /** Number of files; 1 for a file. */
  fileCount: number;
  /** Their size in bytes, with earlier versions. */
  size: number;
  /** Names of its former folders, from the root down; empty for the root. */
  location: string[];
  /** Name of the person; null if the account was deleted. */
  deletedBy: string | null;
  deletedAt: Date;
  /** When it will be deleted permanently. */
  purgesAt: Date;
}

/** Items in the trash by file and folder ids, or all items of one deletion. */
export class RestoreDto extends ItemsDto {
  @IsOptional()
  @IsUUID('all', localized("This isn't the id of a deletion", 'Bu, bir silme işleminin kimliği değil'))
  trashId?: string;
}

export class RestoredDto {
  @ApiProperty({ enum: ['file', 'folder'] })
  kind: 'file' | 'folder';
  id: number;
  /** Has a number added if the name was taken in the meantime. */
  name: string;
  /** Its folder now; null for the root, also if its former folder no longer exists. */
  folderId: number | null;
}

/** Items in the trash by file and folder ids, or the whole trash. */
export class PurgeDto extends ItemsDto {
  /** The whole trash of the zone. */
  @IsOptional()
  @IsBoolean()
  all?: boolean;
}

export class PurgedDto {
  /** Number of deleted files. */
  files: number;
  /** Released bytes. */
  bytes: number;
}
