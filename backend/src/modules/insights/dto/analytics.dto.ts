import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsIn, IsInt, IsOptional, IsString, MaxLength, Max, Min } from 'class-validator';
import { catalogue } from '../../../platform/catalogue/catalogue.js';
import type { Bucket } from '../day.js';
import { TimeZoneQueryDto } from '../../../platform/http/reading/time-zone.dto.js';
import { say } from '../../../platform/http/reading/validation.js';

const noZone = say('zoneId must be the id of a zone', 'zoneId bir bölgenin kimliği olmalıdır');

const ranges = catalogue(['7', '30', '90', 'all']);

export class AnalyticsQueryDto extends TimeZoneQueryDto {
  /** Days up to today; 30 when nothing is given. */
  @IsOptional()
  @IsIn(ranges, say('range must be 7, 30, 90 or all', 'range 7, 30, 90 veya all olmalıdır'))
  @ApiProperty({ enum: ranges, required: false })
  range?: (typeof ranges)[number];

  /** First day, YYYY-MM-DD, instead of `range`. */
  @IsOptional()
  @IsString(say('Please give a day as YYYY-MM-DD.', 'Lütfen günü YYYY-AA-GG biçiminde verin.'))
  @MaxLength(40)
  from?: string;

  /** Last day, YYYY-MM-DD; today when left out. */
  @IsOptional()
  @IsString(say('Please give a day as YYYY-MM-DD.', 'Lütfen günü YYYY-AA-GG biçiminde verin.'))
  @MaxLength(40)
  to?: string;
}

export class SeriesQueryDto extends AnalyticsQueryDto {
  /** Of this zone alone. */
  @IsOptional()
  @Type(() => Number)
  @IsInt(noZone)
  @Min(1, noZone)
  @Max(Number.MAX_SAFE_INTEGER, noZone)
  zoneId?: number;
}

export class FlowsDto {
  /** Times that somebody opened a file; again within half an hour counts once. */
  views: number;
  downloads: number;
  joins: number;
  /** Left, were removed, or their time was over. */
  leaves: number;
}

export class AnalyticsPointDto extends FlowsDto {
  /** First day of the point. */
  @ApiProperty({ format: 'date' })
  from: string;
  /** Last day of the point; the same as `from` when points are days. */
  @ApiProperty({ format: 'date' })
  to: string;
  /** Bytes stored at the end of the last day, trash included; null while not known. */
  storage: number | null;
}

export class AnalyticsSeriesDto {
  @ApiProperty({ format: 'date' })
  from: string;
  @ApiProperty({ format: 'date' })
  to: string;
  /** What a point stands for; weeks begin on Monday. */
  @ApiProperty({ enum: ['day', 'week', 'month'] })
  bucket: Bucket;
  /** By which days are told apart: an IANA name. */
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
  /** Now; the flows are those of the days asked for. */
  fileCount: number;
  memberCount: number;
  /** Bytes, trash included. */
  storage: number;
}

export class FileOpeningDto {
  userId: number;
  /** null for somebody whose name is not known yet. */
  name: string | null;
  email: string;
  firstAt: Date;
  lastAt: Date;
  views: number;
  downloads: number;
}
