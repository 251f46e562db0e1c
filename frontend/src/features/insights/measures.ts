import type { Schema } from '../../shared/api/client';

export type Point = Schema<'AnalyticsPointDto'>;
export type Figure = 'views' | 'downloads' | 'joins' | 'leaves' | 'storage';

/** What a chart shows at once: figures of one kind. */
export const measures = {
  opened: ['views', 'downloads'],
  people: ['joins', 'leaves'],
  stored: ['storage'],
} as const satisfies Record<string, readonly Figure[]>;
export type Measure = keyof typeof measures;

/** Whether there is anything to draw. */
export function isEmpty(points: readonly Point[], measure: Measure): boolean {
  return points.every((point) => measures[measure].every((figure) => !point[figure]));
}
