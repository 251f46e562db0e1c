import { ApiProperty, IntersectionType } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsInt,
  IsNotEmpty,
  IsOptional,
  IsString,
  Matches,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { freezeList } from '../../../platform/constants/freeze-list.js';
import { OptionalField } from '../../../platform/http/parsing/fields.js';
import { localized } from '../../../platform/http/parsing/validation.js';
import { UploadTargetDto } from './file.dto.js';
import { ReplaceFileDto } from './version.dto.js';

/**
 * `receiving`: bytes are missing; `checking`: the server reads what was sent to the storage directly; `checked`: it has
 * read it, and the upload must be completed again to learn why it isn't a file; `stored`: the file exists.
 */
export const UPLOAD_STATES = freezeList(['receiving', 'checking', 'checked', 'stored']);

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
  /** Stored bytes, including those of parts that were sent to the storage directly. */
  received: number;
  @ApiProperty({ enum: UPLOAD_STATES })
  state: (typeof UPLOAD_STATES)[number];
  /** Whether its parts can be sent to the storage directly (`/parts`): not once bytes were sent to the upload itself. */
  acceptsParts: boolean;
  /** The created or replaced file; null while the upload is incomplete. */
  fileId: number | null;
  createdAt: Date;
  /** When it expires if it isn't continued. */
  expiresAt: Date;
}

/** The parts of an upload that is sent to the storage directly. */
export class UploadPartsDto {
  /** Size in bytes of each part but the last. */
  partBytes: number;
  /** How many parts there are; numbers start at 1. */
  count: number;
  /** Numbers of the parts that were reported as sent. */
  sent: number[];
}

/** Where one part is sent with PUT, as the whole body and without further headers. */
export class SignedPartDto {
  number: number;
  url: string;
  expiresAt: Date;
}

/** Maximum numbers of parts per request. */
const MAX_SIGNED_PARTS = 50;
const MAX_SENT_PARTS = 200;

const numberMessage = localized("This isn't a list of part numbers", 'Bu bir parça numarası listesi değil');
const etagMessage = localized("This isn't an ETag", 'Bu bir ETag değil');
const partsMessage = localized("This isn't a list of parts", 'Bu bir parça listesi değil');

/** A part that the storage has accepted. */
export class SentPartDto {
  @IsInt(numberMessage)
  @Min(1, numberMessage)
  @Max(10_000, numberMessage)
  number: number;

  /** The ETag header of the storage's response. */
  @Matches(/^"?[\x21\x23-\x7e]{1,198}"?$/, etagMessage)
  @IsString(etagMessage)
  etag: string;
}

/** Parts that were sent since the last request. */
export class CompleteUploadDto {
  /** At most 200. */
  @OptionalField()
  @IsArray(partsMessage)
  @ArrayMaxSize(MAX_SENT_PARTS, partsMessage)
  @ValidateNested({ each: true, ...partsMessage })
  @Type(() => SentPartDto)
  sent?: SentPartDto[];
}

/** Parts to be sent next. */
export class SignPartsDto extends CompleteUploadDto {
  /** At most 50. */
  @IsArray(numberMessage)
  @ArrayMaxSize(MAX_SIGNED_PARTS, localized('At most 50 at a time', 'Bir seferde en fazla 50'))
  @IsInt({ each: true, ...numberMessage })
  @Min(1, { each: true, ...numberMessage })
  @Max(10_000, { each: true, ...numberMessage })
  numbers: number[];
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
