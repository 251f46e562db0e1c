import { ApiProperty } from '@nestjs/swagger';
import { ArrayMaxSize, IsArray, Matches } from 'class-validator';
import { applyDecorators } from '@nestjs/common';
import { OptionalField } from '../../../platform/http/parsing/fields.js';
import { localized } from '../../../platform/http/parsing/validation.js';
import { FolderIdRule } from './folder.dto.js';

/** Maximum numbers of files and of folders in one tree. */
const MAX_FILES = 10_000;
const MAX_FOLDERS = 1_000;

const paths = (maxCount: number, tooMany: ReturnType<typeof localized>) => {
  const wrong = localized(
    'Please give a list of paths such as "Course/Week 1"',
    'Lütfen "Kurs/Hafta 1" gibi yollardan oluşan bir liste verin',
  );
  return applyDecorators(
    OptionalField(),
    IsArray(wrong),
    ArrayMaxSize(maxCount, tooMany),
    Matches(/^[^/]+(\/[^/]+)*$/, { each: true, ...wrong }),
  );
};

/** A tree of folders that is going to be uploaded. */
export class CreateFolderTreeDto {
  /** The folder that contains the tree. Default: the root of the zone. */
  @FolderIdRule()
  parentId?: number | null;

  /** Paths of the folders, with `/` between the names; at most 1,000. Parents need not be listed. */
  @paths(
    MAX_FOLDERS,
    localized('A folder can have at most 1,000 subfolders', 'Bir klasörde en fazla 1.000 alt klasör olabilir'),
  )
  folders?: string[];

  /** Paths of the files that will be uploaded into them, at most 10,000. Their folders need not be listed. */
  @paths(
    MAX_FILES,
    localized('At most 10,000 files can be uploaded at a time', 'Bir seferde en fazla 10.000 dosya yüklenebilir'),
  )
  files?: string[];
}

export class TreeFolderDto {
  /** As in the request. */
  path: string;
  id: number;
  /** Differs from the path if a character of the name isn't allowed, or an existing folder has another spelling. */
  name: string;
  /** True if the folder was there before. */
  existed: boolean;
}

export class ExistingFileDto {
  id: number;
  /** Bytes. */
  size: number;
}

export class TreeFileDto {
  /** As in the request. */
  path: string;
  /** The name under which the file can be stored. */
  name: string;
  /** The file of this name in the folder; null if there is none. */
  @ApiProperty({ type: ExistingFileDto, nullable: true })
  existing: ExistingFileDto | null;
}

export class FolderTreeDto {
  /** All folders of the tree, parents first. */
  folders: TreeFolderDto[];
  /** Only files that already exist, or that can't be stored under their own name. */
  files: TreeFileDto[];
}
