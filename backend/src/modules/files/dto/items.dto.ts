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
import { Optional } from '../../../platform/http/reading/fields.js';
import { say } from '../../../platform/http/reading/validation.js';

/** Most files, and most folders, of one request. */
const MAX_FILES = 10_000;
const MAX_FOLDERS = 1_000;

const ids = (most: number) => {
  const wrong = say('Please give a list of ids', 'Lütfen bir kimlik listesi verin');
  return applyDecorators(
    Optional(),
    IsArray(wrong),
    ArrayMaxSize(most, say(`At most ${most} at a time`, `Bir seferde en fazla ${most}`)),
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

/** What goes into an archive. */
export class DownloadDto extends ItemsDto {
  /** Everything that the viewer sees in the zone, whatever is named beside it. */
  @Optional()
  @IsBoolean(say('Please say true or false', 'Lütfen true ya da false yazın'))
  all?: boolean;
}

const notATarget = say('Name a folder, or null for the root', 'Bir klasör ya da kök için null verin');

/** Where things are moved. */
export class MoveDto {
  /** The folder into which they go; null is the root of the zone. */
  @ApiProperty({ type: 'integer', nullable: true })
  @ValidateIf((dto: MoveDto) => dto.targetFolderId !== null)
  @IsInt(notATarget)
  @Min(1, notATarget)
  @Max(Number.MAX_SAFE_INTEGER, notATarget)
  targetFolderId: number | null;

  /** `rename` gives what clashes a number, as in "name (1).ext"; otherwise one clash refuses the whole move. */
  @IsOptional()
  @IsIn(['rename'], say('onConflict can only be rename', 'onConflict yalnızca rename olabilir'))
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
  /** Things that were elsewhere and lie in the target now. */
  moved: number;
}

export class TrashedDto {
  /** By which `trash/restore` brings all of it back; null when only mirrors were taken away, which hold nothing. */
  @ApiProperty({ type: String, format: 'uuid', nullable: true })
  trashId: string | null;
  /** With everything below. */
  files: number;
  folders: number;
}

export class TrashEntryDto {
  @ApiProperty({ enum: ['file', 'folder'] })
  kind: 'file' | 'folder';
  /** Of the file or folder. */
  id: number;
  /** The same for everything of one deletion. */
  trashId: string;
  name: string;
  /** null for a folder. */
  mimeType: string | null;
  /** Files that it holds: 1 for a file. */
  fileCount: number;
  /** Bytes of them. */
  size: number;
  /** Names of the folders in which it lay, from the root down; empty for the root. */
  location: string[];
  /** Name of the person; null when the account is gone. */
  deletedBy: string | null;
  deletedAt: Date;
  /** When it is removed for good by itself. */
  purgesAt: Date;
}

/** Entries of the trash by the file or folder that they are, or all of one deletion. */
export class RestoreDto extends ItemsDto {
  @IsOptional()
  @IsUUID('all', say('This is not the id of a deletion', 'Bu, bir silme işleminin kimliği değil'))
  trashId?: string;
}

export class RestoredDto {
  @ApiProperty({ enum: ['file', 'folder'] })
  kind: 'file' | 'folder';
  id: number;
  /** With a number, when the name was taken meanwhile. */
  name: string;
  /** Where it lies now; null at the root, also when the folder in which it lay is gone. */
  folderId: number | null;
}

/** Entries of the trash by the file or folder that they are, or everything. */
export class PurgeDto extends ItemsDto {
  /** The whole trash of the zone. */
  @IsOptional()
  @IsBoolean()
  all?: boolean;
}

export class PurgedDto {
  /** Files that are gone. */
  files: number;
  /** Bytes that no longer count. */
  bytes: number;
}
