import type { Schema } from '../../../shared/api/client';

export type SecurityDay = Schema<'SecurityDayDto'>;

/** Metrics by day, in display order. */
export const securityMetrics = ['failedSignIns', 'lockOuts', 'refusedWebhooks', 'newDevices'] as const;
