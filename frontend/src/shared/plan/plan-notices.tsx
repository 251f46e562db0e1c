import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { ownsNothing } from '../account/first-page';
import { useCurrentUser } from '../api/current-user';
import { useFormat } from '../hooks/use-format';
import { usePaymentText } from './use-payment-text';
import { usePlanAbilities } from './use-subscription';
import { useManageSubscription } from './use-manage-subscription';
import { amountText, isOver, useUsage, warningOf, type Usage } from './usage';

/** What needs attention about the plan: a payment that is owed, and limits that are nearly or wholly used. */
export function PlanNotices() {
  const { data: usage } = useUsage();
  const { data: user } = useCurrentUser();
  // Whoever owns nothing has filled nothing; a payment that is owed is told in any case.
  const told = user && ownsNothing(user) ? [] : (usage ?? []);
  const warned = told.filter((one) => warningOf(one) !== null);
  return (
    <Stack spacing={2} sx={{ mb: 4, '&:empty': { display: 'none' } }}>
      <PaymentNotice />
      {warned.map((one) => (
        <UsageNotice key={one.metric} usage={one} />
      ))}
    </Stack>
  );
}

/** The sentence stands level with the button beside it; on a phone the button has a line of its own. */
const beside = {
  alignItems: 'center',
  flexWrap: { xs: 'wrap', sm: 'nowrap' },
  '& .MuiAlert-message': { flex: 1, minWidth: { xs: '75%', sm: 0 } },
  '& .MuiAlert-action': { p: 0, mr: 0, ml: { xs: 8, sm: 'auto' }, py: { xs: 2, sm: 0 } },
};

function PaymentNotice() {
  const { t } = useTranslation();
  const text = usePaymentText();
  const manage = useManageSubscription();
  if (text === null) return null;
  return (
    <Alert
      sx={beside}
      severity="error"
      action={
        <Button size="small" onClick={() => manage.mutate()} disabled={manage.isPending}>
          {t('plan.manage')}
        </Button>
      }
    >
      {text}
    </Alert>
  );
}

function UsageNotice({ usage }: { usage: Usage }) {
  const { metric, used, allowed, warning } = usage;
  const { t } = useTranslation();
  const format = useFormat();
  const { upgrade } = usePlanAbilities();
  const values = {
    what: t(`plan.metrics.${metric}`),
    used: amountText(metric, used, format),
    allowed: amountText(metric, allowed ?? 0, format),
  };
  return (
    <Alert
      sx={beside}
      severity={warning === 100 ? 'error' : 'warning'}
      action={
        upgrade && (
          <Button size="small" component={Link} to="/pricing">
            {t('plan.upgrade')}
          </Button>
        )
      }
    >
      {t(isOver(usage) ? 'plan.over' : warning === 100 ? 'plan.full' : 'plan.nearlyFull', values)}
    </Alert>
  );
}
