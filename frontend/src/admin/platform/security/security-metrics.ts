import type { Schema } from '../../../shared/api/client';

export type SecurityDay = Schema<'SecurityDayDto'>;

/** What is counted by day, in the order in which it is shown. */
export const securityMetrics = ['failedSignIns', 'lockOuts', 'refusedWebhooks', 'newDevices'] as const;
