import { ApiProperty, PickType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsBoolean, IsIn, IsInt, IsOptional, IsString, Max, Min, ValidateIf } from 'class-validator';
import { WindowQueryDto } from '../../../platform/http/lists/list.js';
import { localized } from '../../../platform/http/parsing/validation.js';
import type { StorageType } from '../../../platform/storage/storage.js';
import { DocumentDto } from './document.dto.js';
import { FolderIdText } from './folder.dto.js';

export class FileListQueryDto extends WindowQueryDto {
  /** The folder whose files are listed. Default: the root of the zone. */
  @FolderIdText()
  folderId?: number;

  /** Sort order of the files; names in Turkish order, with numbers by value. */
  @IsOptional()
  @IsIn(
    ['name', 'date', 'type', 'size'],
    localized('Sort by name, date, type or size', 'Ad, tarih, tür veya boyuta göre sıralayın'),
  )
  sort?: 'name' | 'date' | 'type' | 'size';

  @IsOptional()
  @IsIn(['asc', 'desc'], localized('The order must be asc or desc', 'Sıra asc veya desc olmalıdır'))
  order?: 'asc' | 'desc';
}

const fileMessage = localized("This isn't a file", 'Bu bir dosya değil');

export class FilePositionQueryDto extends PickType(FileListQueryDto, ['folderId', 'sort', 'order']) {
  /** A file of the folder. */
  @Type(() => Number)
  @IsInt(fileMessage)
  @Min(1, fileMessage)
  @Max(Number.MAX_SAFE_INTEGER, fileMessage)
  fileId: number;
}

/** Where an item is in a sorted list. */
export class PositionDto {
  /** Number of items before it, for the `offset` of the list. */
  index: number;
}

/** Target folder of an upload, in the query or in form fields before the first file. */
export class UploadTargetDto {
  /** The folder. Default: the root of the zone. */
  @FolderIdText()
  folderId?: number;

  /**
   * `rename` stores a file whose name is taken as "name (1).ext", `replace` makes it the content of the file that has
   * the name. Otherwise, one conflict rejects the whole request.
   */
  @IsOptional()
  @IsIn(
    ['rename', 'replace'],
    localized('onConflict must be rename or replace', 'onConflict rename veya replace olmalıdır'),
  )
  onConflict?: 'rename' | 'replace';
}

export class RenameFileDto {
  /** The new name. The extension is kept and may be omitted. */
  @IsString(localized('Please enter a name.', 'Lütfen bir ad girin.'))
  originalName: string;
}

/** At least one field is required. Omitted fields keep their values. */
export class UpdateFileDto {
  /**
   * False: members never receive the original file in one piece. They read page images and play audio and video in
   * chunks; other types they can't open. The owner and zone admins can always download.
   */
  @ValidateIf(({ allowDownload, allowText }: UpdateFileDto) => allowDownload !== undefined || allowText === undefined)
  @IsBoolean(localized('This must be true or false', 'Bu değer true veya false olmalıdır'))
  allowDownload?: boolean;

  /** False: members who may not download the file can't select, copy or search its text either. */
  @ValidateIf(({ allowText }: UpdateFileDto) => allowText !== undefined)
  @IsBoolean(localized('This must be true or false', 'Bu değer true veya false olmalıdır'))
  allowText?: boolean;
}

/** A URL of a file that works without a session. */
export class FileAddressDto {
  /** Anyone with this URL can download the file. */
  url: string;
  /** When the URL stops working. */
  expiresAt: Date;
}

export class SignedQueryDto {
  /** Who may download, until when, and the signature. */
  @IsString(localized('This address is incomplete', 'Bu adres eksik'))
  token: string;
}

export class FileAbilitiesDto {
  /** Open it in the page. */
  view: boolean;
  /** Download the original file. */
  download: boolean;
  /** Select, copy and search the text of its pages. */
  text: boolean;
  rename: boolean;
  move: boolean;
  delete: boolean;
  /** Change whether members may download it. */
  allowDownload: boolean;
  /** Replace its content, and manage its earlier versions. */
  replace: boolean;
  /** Create links to it for people outside. */
  share: boolean;
  /** See who opened it. */
  seeOpenings: boolean;
}

/** State of a file's pages. */
export class FileDocumentDto extends PickType(DocumentDto, ['state', 'failure']) {}

export class FileDto {
  id: number;
  name: string;
  originalName: string;
  /** Detected from the content. */
  mimeType: string;
  /** Bytes. */
  size: number;
  /** Always null: files are only available through their routes. */
  @ApiProperty({ type: String, nullable: true, example: null })
  publicUrl: string | null;
  /** Path of the thumbnail; null if there is none, or none yet. */
  @ApiProperty({ type: String, nullable: true, example: '/api/files/12/thumbnail' })
  thumbnailUrl: string | null;
  @ApiProperty({ enum: ['local', 'gcs', 's3'] })
  storageType: StorageType;
  /** The zone in which the file is shown; for mirrored files, the zone of the mirror. */
  zoneId: number;
  folderId: number | null;
  /** Who uploaded its content; null if the account was deleted. */
  uploadedById: number | null;
  allowDownload: boolean;
  allowText: boolean;
  /** Number of views; repeated views within half an hour count once. */
  viewCount: number;
  downloadCount: number;
  /** Whether browsers can display it: raster images, video, audio, PDF, plain text. */
  viewable: boolean;
  /** State of its pages; null if it's not known yet or the file has no pages. */
  @ApiProperty({ type: FileDocumentDto, nullable: true })
  document: FileDocumentDto | null;
  /** True in a mirror: nothing can be changed here. */
  readOnly: boolean;
  createdAt: Date;
  updatedAt: Date;
  /** Number of its content: 1, and 1 more with every replacement. */
  version: number;
  /** When its content was uploaded or last replaced. */
  contentUpdatedAt: Date;
  /** Actions that the viewer may perform. */
  can: FileAbilitiesDto;
}
