import { $api, type Schema } from '../api/client';

export type Usage = Schema<'UsageDto'>;
export type Metric = Usage['metric'];

/** Usage of each limit of the plan. */
export function useUsage() {
  return $api.useQuery('get', '/api/user/usage');
}

/** Percentage of a limit that is used, 0 to 100 in tenths, because screen readers read it out; null if unlimited. */
export function usedPercentOf({ used, allowed }: Pick<Usage, 'used' | 'allowed'>): number | null {
  if (allowed === null) return null;
  return allowed === 0 ? 100 : Math.min(100, Math.round((used / allowed) * 1000) / 10);
}

/** More is used than the plan allows, for example after a downgrade. */
export const isOverLimit = ({ used, allowed }: Pick<Usage, 'used' | 'allowed'>): boolean =>
  allowed !== null && used > allowed;

/** The warning to show; null if there is none. The free plan's only zone is always in use, which is no warning. */
export function visibleWarningOf(usage: Usage): Usage['warning'] {
  return usage.metric === 'zones' && !isOverLimit(usage) ? null : usage.warning;
}

/** Formats an amount as a number or a size. */
export function formatAmount(
  metric: Metric,
  amount: number,
  format: { number: (value: number) => string; size: (bytes: number) => string },
): string {
  return metric === 'bytes' ? format.size(amount) : format.number(amount);
}
