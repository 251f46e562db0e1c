import { ApiProperty, PickType } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsOptional, IsString, ValidateIf } from 'class-validator';
import { ListQueryDto } from '../../../platform/http/lists/list.js';
import { say } from '../../../platform/http/reading/validation.js';
import type { StorageType } from '../../../platform/storage/storage.js';
import { DocumentDto } from './document.dto.js';
import { FolderIdText } from './folder.dto.js';

export class FileListQueryDto extends ListQueryDto {
  /** The folder whose files are listed; without it those at the root of the zone. */
  @FolderIdText()
  folderId?: number;

  /** What the files are sorted by; names by the Turkish rules, with numbers by their value. */
  @IsOptional()
  @IsIn(
    ['name', 'date', 'type', 'size'],
    say('Sort by name, date, type or size', 'Ad, tarih, tür veya boyuta göre sıralayın'),
  )
  sort?: 'name' | 'date' | 'type' | 'size';

  @IsOptional()
  @IsIn(['asc', 'desc'], say('The order is asc or desc', 'Sıra asc veya desc olmalıdır'))
  order?: 'asc' | 'desc';
}

/** Where files are put: in the query, or in fields of the form before its first file. */
export class UploadTargetDto {
  /** The folder; without it the root of the zone. */
  @FolderIdText()
  folderId?: number;

  /** `rename` stores a file whose name is taken as "name (1).ext"; otherwise one clash refuses the whole request. */
  @IsOptional()
  @IsIn(['rename'], say('onConflict can only be rename', 'onConflict yalnızca rename olabilir'))
  onConflict?: 'rename';
}

export class RenameFileDto {
  /** The new name. The extension stays, and may be left out. */
  @IsString(say('Please enter a name.', 'Lütfen bir ad girin.'))
  originalName: string;
}

/** At least one of them; what is not said stays as it is. */
export class UpdateFileDto {
  /**
   * False: members never receive the original file in one piece. They read page images and play audio and video in
   * chunks; other types they can't open. The owner and zone admins can always download.
   */
  @ValidateIf(({ allowDownload, allowText }: UpdateFileDto) => allowDownload !== undefined || allowText === undefined)
  @IsBoolean(say('Say true or false', 'true veya false verin'))
  allowDownload?: boolean;

  /** False: members who may not download it cannot select, copy or search the text of its pages either. */
  @ValidateIf(({ allowText }: UpdateFileDto) => allowText !== undefined)
  @IsBoolean(say('Say true or false', 'true veya false verin'))
  allowText?: boolean;
}

/** An address of a file that needs no session. */
export class FileAddressDto {
  /** Gives the file to whoever has it, as an attachment. */
  url: string;
  /** From then on it gives nothing. */
  expiresAt: Date;
}

export class SignedQueryDto {
  /** Who may, until when, and the signature of that. */
  @IsString(say('This address is not whole', 'Bu adres eksik'))
  token: string;
}

export class FileAbilitiesDto {
  /** Open it in the page. */
  view: boolean;
  /** Fetch it to keep it: the bytes as they are, also those that a browser would show. */
  download: boolean;
  /** Select, copy and search the text of its pages. */
  text: boolean;
  rename: boolean;
  move: boolean;
  delete: boolean;
  /** Say whether members may download it. */
  allowDownload: boolean;
  /** See who opened it. */
  seeOpenings: boolean;
}

/** What is known of the pages of a file. */
export class FileDocumentDto extends PickType(DocumentDto, ['state', 'failure']) {}

export class FileDto {
  id: number;
  name: string;
  originalName: string;
  /** Told by the bytes. */
  mimeType: string;
  /** Bytes. */
  size: number;
  /** Always null: files are reached by their routes only. */
  @ApiProperty({ type: String, nullable: true, example: null })
  publicUrl: string | null;
  /** Path of a small picture of an image; null while, or when, there is none. */
  @ApiProperty({ type: String, nullable: true, example: '/api/files/12/thumbnail' })
  thumbnailUrl: string | null;
  @ApiProperty({ enum: ['local', 'gcs'] })
  storageType: StorageType;
  /** The zone in which the file is seen: through a mirror, the one that holds the mirror. */
  zoneId: number;
  folderId: number | null;
  /** null when the account is gone. */
  uploadedById: number | null;
  allowDownload: boolean;
  allowText: boolean;
  /** Times that somebody opened it; again within half an hour counts once. */
  viewCount: number;
  downloadCount: number;
  /** A browser can show it: raster images, video, audio, PDF, plain text. */
  viewable: boolean;
  /** How far its pages are drawn, and why they cannot be; null of a file of which nothing is known yet, or that has none. */
  @ApiProperty({ type: FileDocumentDto, nullable: true })
  document: FileDocumentDto | null;
  /** Seen through a mirror: nothing can be changed here. */
  readOnly: boolean;
  createdAt: Date;
  updatedAt: Date;
  /** What the viewer may do with it. */
  can: FileAbilitiesDto;
}
