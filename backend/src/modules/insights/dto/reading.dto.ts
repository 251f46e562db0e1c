import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, ArrayNotEmpty, IsArray, IsInt, IsUUID, Max, Min, ValidateNested } from 'class-validator';
import { localized } from '../../../platform/http/parsing/validation.js';
import { MAX_BATCH_TIME } from '../reading/reading.policy.js';

/** Maximum number of entries of a batch; all of them are within the limits of `parseJsonBody`. */
const MAX_ENTRIES = 50;

const pageMessage = localized('page must be the number of a page', 'page bir sayfa numarası olmalıdır');
const msMessage = localized(
  'ms must be a whole number from 1 to 300000',
  'ms 1 ile 300000 arasında bir tam sayı olmalıdır',
);
const versionMessage = localized('version must be the version of the file', 'version, dosyanın sürümü olmalıdır');
const entriesMessage = localized(
  `entries must be a list of 1 to ${MAX_ENTRIES} entries`,
  `entries 1 ile ${MAX_ENTRIES} arasında öğe içeren bir liste olmalıdır`,
);

export class PageTimeDto {
  /** From 1. */
  @IsInt(pageMessage)
  @Min(1, pageMessage)
  @Max(2 ** 31 - 1, pageMessage)
  page: number;

  /** For how long the page was visible while the reader was active, in milliseconds. */
  @IsInt(msMessage)
  @Min(1, msMessage)
  @Max(MAX_BATCH_TIME, msMessage)
  ms: number;
}

export class ReadingBatchDto {
  /** Random id. A batch that is sent again is not recorded again. */
  @IsUUID('all', localized('batch must be a UUID', 'batch bir UUID olmalıdır'))
  batch: string;

  /** `version` of the file that was read. */
  @IsInt(versionMessage)
  @Min(1, versionMessage)
  @Max(2 ** 31 - 1, versionMessage)
  version: number;

  /** The pages in the order in which they were read. */
  @ApiProperty({ type: [PageTimeDto], minItems: 1, maxItems: MAX_ENTRIES })
  @Type(() => PageTimeDto)
  @ValidateNested({ each: true, ...entriesMessage })
  @ArrayMaxSize(MAX_ENTRIES, entriesMessage)
  @ArrayNotEmpty(entriesMessage)
  @IsArray(entriesMessage)
  entries: PageTimeDto[];
}

export class ReadingReceiptDto {
  /** False if nothing is recorded for this reader; then the web app sends no further batches for the file. */
  isRecorded: boolean;
}

export class PageReadingDto {
  /** From 1. */
  page: number;
  /** Members who read the page: it was visible for at least two seconds. */
  readers: number;
  /** Time that all members spent on the page, in milliseconds. */
  ms: number;
  /** Members who read this page last and haven't read all pages. */
  stops: number;
}

export class ReadingDayDto {
  @ApiProperty({ format: 'date' })
  day: string;
  /** Members who read the file on that day. */
  readers: number;
  /** Milliseconds. */
  ms: number;
}

export class FileReadingDto {
  /** Number of the current content, to which all figures except those by day refer. */
  version: number;
  /** Whether the zone of the file records reading now. */
  isRecorded: boolean;
  /** Number of pages; null while unknown. */
  @ApiProperty({ type: 'integer', nullable: true })
  pageCount: number | null;
  readers: number;
  /** Members who read all pages. */
  completed: number;
  /** The average share of the pages that a reader has read, from 0 to 1; null without readers or page count. */
  @ApiProperty({ type: Number, nullable: true })
  completion: number | null;
  /** Time that all members spent reading, in milliseconds. */
  ms: number;
  /** Pages with figures, in order. Readers and times are updated every minute. */
  @ApiProperty({ type: [PageReadingDto] })
  pages: PageReadingDto[];
  /** The last 90 days (UTC) on which somebody read any content of the file, in order. Updated every minute. */
  @ApiProperty({ type: [ReadingDayDto] })
  days: ReadingDayDto[];
}

/** How far a member has read the current content. */
export class FileReaderDto {
  userId: number;
  /** null if the name isn't known yet. */
  @ApiProperty({ type: String, nullable: true })
  name: string | null;
  email: string;
  firstAt: Date;
  lastAt: Date;
  /** Milliseconds. */
  ms: number;
  /** Number of different pages. */
  pagesRead: number;
  /** The page that was read last. */
  lastPage: number;
  /** True if the member joined by a link before reading the file. */
  joinedByLink: boolean;
  /** Id and name of that link; null for the public link, and for a link that was deleted. */
  @ApiProperty({ type: 'integer', nullable: true })
  linkId: number | null;
  @ApiProperty({ type: String, nullable: true })
  linkName: string | null;
}

/** What is recorded about the viewer's reading of the current content. */
export class OwnReadingDto {
  /** Null, like `lastAt` and `lastPage`, if nothing is recorded. */
  firstAt: Date | null;
  lastAt: Date | null;
  /** Milliseconds. */
  ms: number;
  /** The page that was read last. */
  @ApiProperty({ type: 'integer', nullable: true })
  lastPage: number | null;
  /** The pages read, in ascending order. */
  pages: number[];
}
