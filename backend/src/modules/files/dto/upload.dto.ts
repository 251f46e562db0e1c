import { Transform } from 'class-transformer';
import { IsInt, IsNotEmpty, IsString, Max, Min } from 'class-validator';
import { say } from '../../../platform/http/reading/validation.js';
import { UploadTargetDto } from './file.dto.js';

/** An upload that can be resumed. */
export class ResumableUploadDto {
  id: string;
  /** Where it is resumed. */
  location: string;
  name: string;
  zoneId: number;
  folderId: number | null;
  /** Bytes announced. */
  length: number;
  /** Bytes stored. */
  received: number;
  /** The file that it has become; null while it is under way. */
  fileId: number | null;
  createdAt: Date;
  /** When it is given up, if nobody goes on with it. */
  expiresAt: Date;
}

const notAZone = say('This is not a zone', 'Bu bir bölge değil');

/** What `Upload-Metadata` says of an upload. Other keys (`filetype` and those of other clients) count for nothing. */
export class UploadMetadata extends UploadTargetDto {
  @IsNotEmpty()
  @IsString()
  filename: string;

  @Transform(({ value }: { value: unknown }) => Number(value))
  @IsInt(notAZone)
  @Min(1, notAZone)
  @Max(Number.MAX_SAFE_INTEGER, notAZone)
  zoneId: number;
}
