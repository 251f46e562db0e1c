import { IsIn, IsString, IsInt, IsOptional, Max, Min } from 'class-validator';
import { ListQueryDto } from '../../../platform/http/lists/list.js';
import { say } from '../../../platform/http/reading/validation.js';
import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';

const notAFolder = say('This is not a folder', 'Bu bir klasör değil');

/** DTO field that may name a folder; without it the root is meant. */
export const FolderIdRule = () =>
  applyDecorators(IsOptional(), IsInt(notAFolder), Min(1, notAFolder), Max(Number.MAX_SAFE_INTEGER, notAFolder));

/** The same in a query or a form, where numbers are text and an empty field is none. */
export const FolderIdText = () =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => (value === '' ? undefined : Number(value))),
    FolderIdRule(),
  );

export class FolderListQueryDto extends ListQueryDto {
  /** The folder whose folders are listed; without it those at the root of the zone. */
  @FolderIdText()
  parentId?: number;

  /** Folders are sorted by name. */
  @IsOptional()
  @IsIn(['asc', 'desc'], say('The order is asc or desc', 'Sıra asc veya desc olmalıdır'))
  order?: 'asc' | 'desc';

  /** All folders of the zone at any level, each with its `parentId`, instead of those in one folder; not those in mirrors. */
  @IsOptional()
  @IsIn(['true', 'false'], say('all is true or false', 'all true veya false olmalıdır'))
  all?: 'true' | 'false';
}

export class CreateFolderDto {
  @IsString(say('Please enter a name.', 'Lütfen bir ad girin.'))
  name: string;

  /** The folder in which it is made; without it the root of the zone. */
  @FolderIdRule()
  parentId?: number | null;
}

export class RenameFolderDto {
  @IsString(say('Please enter a name.', 'Lütfen bir ad girin.'))
  name: string;
}

export class FolderAbilitiesDto {
  /** Put files into it. */
  upload: boolean;
  /** Make folders in it; not below the deepest level. */
  createFolder: boolean;
  rename: boolean;
  /** Not of a mirror, which stays at the root. */
  move: boolean;
  delete: boolean;
}

export class FolderDto {
  id: number;
  name: string;
  /** The zone in which the folder is seen: through a mirror, the one that holds the mirror. */
  zoneId: number;
  /** null at the root. */
  parentId: number | null;
  /** null when the account is gone. */
  createdById: number | null;
  /** Files directly in it. */
  fileCount: number;
  /** Folders directly in it. */
  folderCount: number;
  /** It shows a folder of another zone. */
  isMirror: boolean;
  /** A mirror or inside one: nothing can be changed in it. */
  readOnly: boolean;
  createdAt: Date;
  updatedAt: Date;
  /** What the viewer may do with it. */
  can: FolderAbilitiesDto;
}

export class FolderPathDto {
  id: number;
  name: string;
}

export class FolderDetailDto extends FolderDto {
  /** The folders from the root of the zone down to this one, itself included. */
  path: FolderPathDto[];
}
