import { ApiProperty } from '@nestjs/swagger';
import { freezeList } from '../../../platform/constants/freeze-list.js';

export class TrendPointDto {
  /** Day, in the requested time zone. */
  @ApiProperty({ format: 'date' })
  day: string;
  /** null while unknown. */
  value: number | null;
}

export class TrendDto {
  /** Change since 30 days ago; for downloads, compared to the 30 days before. null if unknown. */
  change: number | null;
  /** The change in percent; null if there was nothing before. */
  percent: number | null;
  /** The last 30 days, including today. */
  points: TrendPointDto[];
}

export class TrendsDto {
  zones: TrendDto;
  files: TrendDto;
  members: TrendDto;
  /** Downloads per day. */
  downloads: TrendDto;
}

export class DashboardStatsDto {
  /** Zones owned. */
  totalZones: number;
  /** Files in them, without trash and mirrors. */
  totalFiles: number;
  /** Members of these zones, without the owner; people in several zones count once. */
  totalMembers: number;
  /** All downloads, including deleted files and zones. */
  totalDownloads: number;
  /** Bytes that count towards the plan, including the trash. */
  totalStorage: number;
  trends: TrendsDto;
}

export const attentionKinds = freezeList([
  ...(['join_requests', 'failed_mails', 'failed_campaign', 'paused_campaign'] as const),
  ...(['waiting_orders', 'failed_orders'] as const),
]);
export type AttentionKind = (typeof attentionKinds)[number];

export class AttentionDto {
  @ApiProperty({ enum: attentionKinds })
  kind: AttentionKind;
  /** Number of requests, emails or orders. */
  count: number;
  zoneId: number;
  zoneName: string;
  /** Set for failed emails and for campaigns that failed or were paused automatically. */
  campaignId: number | null;
  campaignName: string | null;
}
