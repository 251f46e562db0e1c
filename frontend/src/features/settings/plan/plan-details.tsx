import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';
import { toPlan } from '../../../shared/public-ui/plan-badge';
import type { SubscriptionStatus } from '../../../shared/plan/use-subscription';

/** The subscription's interval, price, and renewal or end date. Empty without a subscription. */
export function PlanDetails({ status }: { status: SubscriptionStatus }) {
  const details = usePlanDetails(status);
  if (details.length === 0) return null;
  return (
    <Box
      component="dl"
      sx={{
        display: 'grid',
        gap: 4,
        m: 0,
        gridTemplateColumns: { xs: '1fr 1fr', sm: `repeat(${details.length}, 1fr)` },
      }}
    >
      {details.map(([name, value]) => (
        <div key={name}>
          <Typography component="dt" variant="body2" color="textSecondary">
            {name}
          </Typography>
          <Typography component="dd" sx={{ m: 0, fontVariantNumeric: 'tabular-nums' }}>
            {value}
          </Typography>
        </div>
      ))}
    </Box>
  );
}

function usePlanDetails({ subscription, heldBy, plan }: SubscriptionStatus): [name: string, value: string][] {
  const { t } = useTranslation('settings');
  const { t: tCommon } = useTranslation();
  const format = useFormat();
  if (!subscription) return [];
  const { amount, currency, billingInterval: interval, currentPeriodEnd: end, cancelAtPeriodEnd } = subscription;
  const paidPlan = toPlan(subscription.plan);
  // With a larger plan granted by agreement, the plan being paid for may be a different one.
  const isPaidPlanDifferent = heldBy === 'agreement' && paidPlan !== 'free' && paidPlan !== plan;
  const details: [string, string | null | undefined][] = [
    [t('plan.paidPlan'), isPaidPlanDifferent ? tCommon(`plans.${paidPlan}`) : null],
    [t('plan.interval'), interval && t(`plan.intervals.${interval}`)],
    [t('plan.price'), amount === null || currency === null ? null : format.money(amount, currency)],
    [
      t(cancelAtPeriodEnd ? 'plan.endsOn' : 'plan.renewsOn'),
      end === null ? null : format.date(new Date(end * 1000).toISOString()),
    ],
  ];
  return details.flatMap(([name, value]) => (value ? [[name, value] as [string, string]] : []));
}
