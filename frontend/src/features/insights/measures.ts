import type { Schema } from '../../shared/api/client';

export type AnalyticsPoint = Schema<'AnalyticsPointDto'>;
export type Metric = 'views' | 'downloads' | 'joins' | 'leaves' | 'storage';

/** The metrics that one chart shows together. */
export const metricsByMeasure = {
  opened: ['views', 'downloads'],
  people: ['joins', 'leaves'],
  stored: ['storage'],
} as const satisfies Record<string, readonly Metric[]>;
export type Measure = keyof typeof metricsByMeasure;
export const measures = Object.keys(metricsByMeasure) as Measure[];

/** Whether there is nothing to draw. */
export function isMeasureEmpty(points: readonly AnalyticsPoint[], measure: Measure): boolean {
  return points.every((point) => metricsByMeasure[measure].every((metric) => !point[metric]));
}
