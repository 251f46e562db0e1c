import { Transform } from 'class-transformer';
import { IsInt, IsNotEmpty, IsString, Max, Min } from 'class-validator';
import { localized } from '../../../platform/http/parsing/validation.js';
import { UploadTargetDto } from './file.dto.js';

/** A resumable upload. */
export class ResumableUploadDto {
  id: string;
  /** URL for resuming the upload. */
  location: string;
  name: string;
  zoneId: number;
  folderId: number | null;
  /** Total size in bytes. */
  length: number;
  /** Stored bytes. */
  received: number;
  /** The created file; null while the upload is incomplete. */
  fileId: number | null;
  createdAt: Date;
  /** When it expires if it isn't continued. */
  expiresAt: Date;
}

const zoneMessage = localized("This isn't a zone", 'Bu bir bölge değil');

/** Content of the `Upload-Metadata` header. Other keys, such as `filetype`, are ignored. */
export class UploadMetadata extends UploadTargetDto {
  @IsNotEmpty()
  @IsString()
  filename: string;

  @Transform(({ value }: { value: unknown }) => Number(value))
  @IsInt(zoneMessage)
  @Min(1, zoneMessage)
  @Max(Number.MAX_SAFE_INTEGER, zoneMessage)
  zoneId: number;
}
