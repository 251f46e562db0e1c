import { Transform } from 'class-transformer';
import { IsInt, IsNotEmpty, IsOptional, IsString, Max, Min } from 'class-validator';
import { localized } from '../../../platform/http/parsing/validation.js';
import { IntersectionType } from '@nestjs/swagger';
import { UploadTargetDto } from './file.dto.js';
import { ReplaceFileDto } from './version.dto.js';

/** A resumable upload. */
export class ResumableUploadDto {
  id: string;
  /** URL for resuming the upload. */
  location: string;
  name: string;
  zoneId: number;
  folderId: number | null;
  /** The file whose content it replaces; null if it creates a file. */
  replaces: number | null;
  /** Total size in bytes. */
  length: number;
  /** Stored bytes. */
  received: number;
  /** The created or replaced file; null while the upload is incomplete. */
  fileId: number | null;
  createdAt: Date;
  /** When it expires if it isn't continued. */
  expiresAt: Date;
}

const fileMessage = localized("This isn't a file", 'Bu bir dosya değil');
const zoneMessage = localized("This isn't a zone", 'Bu bir bölge değil');

/** Content of the `Upload-Metadata` header. Other keys, such as `filetype`, are ignored. */
export class UploadMetadata extends IntersectionType(UploadTargetDto, ReplaceFileDto) {
  @IsNotEmpty()
  @IsString()
  filename: string;

  @Transform(({ value }: { value: unknown }) => Number(value))
  @IsInt(zoneMessage)
  @Min(1, zoneMessage)
  @Max(Number.MAX_SAFE_INTEGER, zoneMessage)
  zoneId: number;

  /** The file of this zone whose content is replaced. Then `folderId` and `onConflict` have no effect. */
  @IsOptional()
  @Transform(({ value }: { value: unknown }) => Number(value))
  @IsInt(fileMessage)
  @Min(1, fileMessage)
  @Max(Number.MAX_SAFE_INTEGER, fileMessage)
  replaces?: number;
}
