import { ApiProperty } from '@nestjs/swagger';
import { IsInt, IsNumber, IsOptional, Max, Min } from 'class-validator';
import { localized } from '../../../platform/http/parsing/validation.js';

/** Maximum number of pages of a document. */
const MAX_PAGE = 10_000;
/** Seconds of a week: longer than any recording. */
const MAX_SECONDS = 604_800;

const invalidPage = localized(
  'page must be a whole number from 1 to 10,000',
  'page 1 ile 10.000 arasında bir tam sayı olmalıdır',
);
const invalidFraction = localized(
  'fraction must be a number from 0 to 1',
  'fraction 0 ile 1 arasında bir sayı olmalıdır',
);
const invalidSeconds = localized(
  'seconds must be a whole number from 0 to 604,800',
  'seconds 0 ile 604.800 arasında bir tam sayı olmalıdır',
);

/** `page` for documents, `seconds` for audio and video; exactly one of them. */
export class SavePositionDto {
  /** From 1. */
  @IsOptional()
  @IsInt(invalidPage)
  @Min(1, invalidPage)
  @Max(MAX_PAGE, invalidPage)
  page?: number;

  /** The part of the page above the position, from 0 to 1. Default: 0. */
  @IsOptional()
  @IsNumber({}, invalidFraction)
  @Min(0, invalidFraction)
  @Max(1, invalidFraction)
  fraction?: number;

  @IsOptional()
  @IsInt(invalidSeconds)
  @Min(0, invalidSeconds)
  @Max(MAX_SECONDS, invalidSeconds)
  seconds?: number;
}

/** Without a stored position, `page` and `seconds` are null. */
export class ReadingPositionDto {
  /** From 1, and never beyond the last page of the document. */
  @ApiProperty({ type: 'integer', nullable: true })
  page: number | null;
  /** The part of the page above the position, from 0 to 1. */
  fraction: number;
  /** For audio and video. */
  @ApiProperty({ type: 'integer', nullable: true })
  seconds: number | null;
  /** When it was saved. */
  updatedAt: Date | null;
}

/** A document that the user hasn't read to its last page. */
export class UnfinishedDocumentDto {
  id: number;
  name: string;
  /** The zone in which the user sees it. */
  zoneId: number;
  zoneName: string;
  /** The page at which the user stopped. */
  page: number;
  pageCount: number;
  /** Path of the thumbnail; null if there is none. */
  @ApiProperty({ type: String, nullable: true, example: '/api/files/12/thumbnail' })
  thumbnailUrl: string | null;
  readAt: Date;
}
