import type { Schema } from '../src/shared/api/client';

const points = Array.from({ length: 30 }, (_, index) => ({
  day: new Date(Date.UTC(2026, 9, 23 + index)).toISOString().slice(0, 10),
  value: index,
}));
const trend = { change: 0, percent: 0, points };

/** Dashboard figures; `changes` override single ones. */
export function makeDashboardStats(changes: Partial<Schema<'DashboardStatsDto'>> = {}): Schema<'DashboardStatsDto'> {
  return {
    totalZones: 0,
    totalFiles: 0,
    totalMembers: 0,
    totalDownloads: 0,
    totalStorage: 0,
    trends: { zones: trend, files: trend, members: trend, downloads: trend },
    ...changes,
  };
}

export const makeTrend = (change: number | null, percent: number | null) => ({ change, percent, points });
