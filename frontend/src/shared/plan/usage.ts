import { $api, type Schema } from '../api/client';

export type Usage = Schema<'UsageDto'>;
export type Metric = Usage['metric'];

/** What is used of each limit of the plan. */
export function useUsage() {
  return $api.useQuery('get', '/api/user/usage');
}

/** How much of a limit is used, 0 to 100 in tenths (a screen reader is told the figure as it is); null without a limit. */
export function usedPercentOf({ used, allowed }: Pick<Usage, 'used' | 'allowed'>): number | null {
  if (allowed === null) return null;
  return allowed === 0 ? 100 : Math.min(100, Math.round((used / allowed) * 1000) / 10);
}

/** More is there than the plan holds, as after a change to a smaller one. */
export const isOverLimit = ({ used, allowed }: Pick<Usage, 'used' | 'allowed'>): boolean =>
  allowed !== null && used > allowed;

/**
 * How near the limit it is, where that is to be seen; null while all is well. The one zone of the free plan is used by
 * everybody: that is no warning, and creating another tells.
 */
export function visibleWarningOf(usage: Usage): Usage['warning'] {
  return usage.metric === 'zones' && !isOverLimit(usage) ? null : usage.warning;
}

/** An amount for people: a number, or a size. */
export function formatAmount(
  metric: Metric,
  amount: number,
  format: { number: (value: number) => string; size: (bytes: number) => string },
): string {
  return metric === 'bytes' ? format.size(amount) : format.number(amount);
}
