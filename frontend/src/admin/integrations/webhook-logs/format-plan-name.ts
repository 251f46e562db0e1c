import type { TFunction } from 'i18next';
import type { LoggedWebhook } from '../senders';

/** The plan of a price; "unknown" for prices that aren't configured. */
export function formatPlanName({ plan, priceId }: LoggedWebhook, t: TFunction<'integrations'>): string {
  return plan ?? (priceId ? t('logs.unknownPlan') : t('logs.none'));
}
