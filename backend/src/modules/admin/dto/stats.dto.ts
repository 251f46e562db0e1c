import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { TimeZoneQueryDto } from '../../../platform/http/parsing/time-zone.dto.js';
import { localized } from '../../../platform/http/parsing/validation.js';
import type { PlatformFigures } from '../../insights/dashboard/platform-figures.service.js';
import type { PlatformDayFigures } from '../../insights/dashboard/platform-figures.repository.js';

/** Totals of the site. */
export class AdminStatsDto implements PlatformFigures {
  /** When the figures were counted. */
  asOf: Date;
  totalUsers: number;
  newUsersThisMonth: number;
  totalZones: number;
  publicZones: number;
  privateZones: number;
  /** Without trash and mirrors. */
  totalFiles: number;
  /** Stored bytes, including the trash. */
  totalStorage: number;
  /** Including drafts. */
  totalCampaigns: number;
  emailsSentThisMonth: number;
}

/**
 * Figures of one day in the requested time zone: totals at its end (null if unknown) and numbers of events during
 * the day.
 */
export class AdminDayDto implements PlatformDayFigures {
  @ApiProperty({ format: 'date' })
  day: string;
  @ApiProperty({ type: Number, nullable: true })
  users: number | null;
  @ApiProperty({ type: Number, nullable: true })
  zones: number | null;
  @ApiProperty({ type: Number, nullable: true })
  files: number | null;
  /** Bytes. */
  @ApiProperty({ type: Number, nullable: true })
  storage: number | null;
  newUsers: number;
  mails: number;
  views: number;
  downloads: number;
  joins: number;
  leaves: number;
}

const dayCountMessage = localized('Must be a whole number from 1 to 366', '1 ile 366 arasında bir tam sayı olmalıdır');

export class DaysQueryDto extends TimeZoneQueryDto {
  /** Number of days, including today. Default: 30. */
  @IsOptional()
  @Type(() => Number)
  @IsInt(dayCountMessage)
  @Min(1, dayCountMessage)
  @Max(366, dayCountMessage)
  days?: number;
}
