import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { TimeZoneQueryDto } from '../../../platform/http/reading/time-zone.dto.js';
import { say } from '../../../platform/http/reading/validation.js';
import type { PlatformDayFigures, PlatformFigures } from '../../insights/dashboard/platform-figures.service.js';

/** Totals of the installation. */
export class AdminStatsDto implements PlatformFigures {
  /** When they were counted: now. */
  asOf: Date;
  totalUsers: number;
  newUsersThisMonth: number;
  totalZones: number;
  publicZones: number;
  privateZones: number;
  /** Without trash and mirrored ones. */
  totalFiles: number;
  /** Bytes stored, trash included. */
  totalStorage: number;
  /** Drafts included. */
  totalCampaigns: number;
  emailsSentThisMonth: number;
}

/** One day of the installation, in the time zone asked for: what there was at its end (null: not known), and what happened. */
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

const range = say('Must be a whole number from 1 to 366', '1 ile 366 arasında bir tam sayı olmalıdır');

export class DaysQueryDto extends TimeZoneQueryDto {
  /** How many, today included; 30 when left out. */
  @IsOptional()
  @Type(() => Number)
  @IsInt(range)
  @Min(1, range)
  @Max(366, range)
  days?: number;
}
