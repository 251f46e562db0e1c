export class DashboardStatsDto {
  /** Zones owned. */
  totalZones: number;
  /** Files in them, without trash and mirrored ones. */
  totalFiles: number;
  /** Memberships in them, without the owner. */
  totalMembers: number;
  totalDownloads: number;
  /** Bytes that count against the plan, trash included. */
  totalStorage: number;
}

export class ActivityItemDto {
  id: number;
  /** Such as member.joined. */
  type: string;
  /** What happened, in words of the viewer's language. */
  message: string;
  createdAt: Date;
  /** The same as createdAt. */
  timestamp: Date;
  /** Who did it; null when the person is gone. */
  userEmail: string | null;
}
