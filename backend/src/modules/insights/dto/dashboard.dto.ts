import { ApiProperty } from '@nestjs/swagger';
import { catalogue } from '../../../platform/catalogue/catalogue.js';

export class TrendPointDto {
  /** Day, in the time zone asked for. */
  @ApiProperty({ format: 'date' })
  day: string;
  /** null while it is not known. */
  value: number | null;
}

export class TrendDto {
  /** What has been added or lost since 30 days ago; for downloads: against the 30 days before. null when not known. */
  change: number | null;
  /** The same in percent; null when there was nothing before. */
  percent: number | null;
  /** The last 30 days, today included. */
  points: TrendPointDto[];
}

export class TrendsDto {
  zones: TrendDto;
  files: TrendDto;
  members: TrendDto;
  /** Downloads of each day. */
  downloads: TrendDto;
}

export class DashboardStatsDto {
  /** Zones owned. */
  totalZones: number;
  /** Files in them, without trash and mirrored ones. */
  totalFiles: number;
  /** People in them, without the owner; somebody in several zones counts once. */
  totalMembers: number;
  /** Of all time, files and zones deleted since included. */
  totalDownloads: number;
  /** Bytes that count against the plan, trash included. */
  totalStorage: number;
  trends: TrendsDto;
}

export const attentionKinds = catalogue([
  ...(['join_requests', 'failed_mails', 'failed_campaign', 'paused_campaign'] as const),
  ...(['waiting_orders', 'failed_orders'] as const),
]);
export type AttentionKind = (typeof attentionKinds)[number];

export class AttentionDto {
  @ApiProperty({ enum: attentionKinds })
  kind: AttentionKind;
  /** Requests, mails or orders. */
  count: number;
  zoneId: number;
  zoneName: string;
  /** Of failed mails, and of campaigns that failed or have paused by themselves. */
  campaignId: number | null;
  campaignName: string | null;
}
