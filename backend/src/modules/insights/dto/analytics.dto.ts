import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, MaxLength, Max, Min } from 'class-validator';
import { freezeList } from '../../../platform/constants/freeze-list.js';
import type { Bucket } from '../day.js';
import { TimeZoneQueryDto } from '../../../platform/http/parsing/time-zone.dto.js';
import { localized } from '../../../platform/http/parsing/validation.js';

const zoneIdMessage = localized('zoneId must be the id of a zone', 'zoneId bir bölgenin kimliği olmalıdır');

const ranges = freezeList(['7', '30', '90', 'all']);

export class AnalyticsQueryDto extends TimeZoneQueryDto {
  /** Number of days up to today. Default: 30. */
  @IsOptional()
  @IsIn(ranges, localized('range must be 7, 30, 90 or all', 'range 7, 30, 90 veya all olmalıdır'))
  @ApiProperty({ enum: ranges, required: false })
  range?: (typeof ranges)[number];

  /** First day, YYYY-MM-DD, instead of `range`. */
  @IsOptional()
  @IsString(localized('Please enter the day as YYYY-MM-DD.', 'Lütfen günü YYYY-AA-GG biçiminde girin.'))
  @MaxLength(40)
  from?: string;

  /** Last day, YYYY-MM-DD. Default: today. */
  @IsOptional()
  @IsString(localized('Please enter the day as YYYY-MM-DD.', 'Lütfen günü YYYY-AA-GG biçiminde girin.'))
  @MaxLength(40)
  to?: string;
}

export class SeriesQueryDto extends AnalyticsQueryDto {
  /** Only this zone. */
  @IsOptional()
  @Type(() => Number)
  @IsInt(zoneIdMessage)
  @Min(1, zoneIdMessage)
  @Max(Number.MAX_SAFE_INTEGER, zoneIdMessage)
  zoneId?: number;
}

export class FlowsDto {
  /** Number of times a file was opened; repeated opens within half an hour count once. */
  views: number;
  downloads: number;
  joins: number;
  /** People who left, were removed, or whose membership expired. */
  leaves: number;
}

export class AnalyticsPointDto extends FlowsDto {
  /** First day of the point. */
  @ApiProperty({ format: 'date' })
  from: string;
  /** Last day of the point; the same as `from` for daily points. */
  @ApiProperty({ format: 'date' })
  to: string;
  /** Bytes stored at the end of the last day, including the trash; null while unknown. */
  storage: number | null;
}

export class AnalyticsSeriesDto {
  @ApiProperty({ format: 'date' })
  from: string;
  @ApiProperty({ format: 'date' })
  to: string;
  /** Period of a point; weeks start on Monday. */
  @ApiProperty({ enum: ['day', 'week', 'month'] })
  bucket: Bucket;
  /** Time zone of the days, as an IANA name. */
  timeZone: string;
  totals: FlowsDto;
  points: AnalyticsPointDto[];
}

export class ZoneFiguresDto extends FlowsDto {
  id: number;
  name: string;
  description: string;
  @ApiProperty({ enum: ['private', 'public'] })
  type: 'private' | 'public';
  /** Current number of files; views, downloads, joins and leaves are for the requested period. */
  fileCount: number;
  memberCount: number;
  /** In bytes, including the trash. */
  storage: number;
}

class ComparedFileDto {
  id: number;
  name: string;
  zoneId: number;
  zoneName: string;
}

export class ReadFileDto extends ComparedFileDto {
  /** Time that members spent reading the file in the period, in milliseconds. */
  ms: number;
  /** Members who have read its current content, at any time. */
  readers: number;
  /** Number of times it was opened, at any time. */
  views: number;
  downloads: number;
}

export class UnopenedFileDto extends ComparedFileDto {
  createdAt: Date;
}

export class FileFiguresDto {
  /** Up to 20 files on which members spent the most time in the period, whose days are in UTC here. */
  @ApiProperty({ type: [ReadFileDto] })
  mostRead: ReadFileDto[];
  /** The latest files that nobody has opened or downloaded at any time, up to 20. */
  @ApiProperty({ type: [UnopenedFileDto] })
  unopened: UnopenedFileDto[];
  /** Number of all files that nobody has opened or downloaded. */
  unopenedCount: number;
}

export class FileOpeningDto {
  userId: number;
  /** null if the name isn't known yet. */
  name: string | null;
  email: string;
  firstAt: Date;
  lastAt: Date;
  views: number;
  downloads: number;
}
