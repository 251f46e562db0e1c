import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { TimeZoneQueryDto } from '../../../platform/http/parsing/time-zone.dto.js';
import { localized } from '../../../platform/http/parsing/validation.js';
import type { PlatformDayFigures, PlatformFigures } from '../../insights/dashboard/platform-figures.service.js';

/** Get the totals of the site. */
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
 * One day of the installation, in the time zone asked for: what there was at its end (null: not known), and what
 * happened.
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
