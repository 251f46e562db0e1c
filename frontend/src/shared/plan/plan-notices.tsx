import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { hasNoOwnZones } from '../account/home-preference';
import { useCurrentUser } from '../api/current-user';
import { useFormat } from '../hooks/use-format';
import { usePaymentProblemText } from './use-payment-text';
import { usePlanAbilities } from './use-subscription';
import { useManageSubscription } from './use-manage-subscription';
import { formatAmount, isOverLimit, useUsage, visibleWarningOf, type Usage } from './usage';

/** Plan notices: an unpaid payment, and limits that are nearly or completely used. */
export function PlanNotices() {
  const { data: usage } = useUsage();
  const { data: user } = useCurrentUser();
  // Users who own no zone have used nothing; an unpaid payment is shown in any case.
  const relevantUsage = user && hasNoOwnZones(user) ? [] : (usage ?? []);
  const usageWithWarning = relevantUsage.filter((metricUsage) => visibleWarningOf(metricUsage) !== null);
  return (
    <Stack spacing={2} sx={{ mb: 4, '&:empty': { display: 'none' } }}>
      <PaymentNotice />
      {usageWithWarning.map((metricUsage) => (
        <UsageNotice key={metricUsage.metric} usage={metricUsage} />
      ))}
    </Stack>
  );
}

/** Aligns the text with the button beside it; on phones the button has its own line. */
const alertStyles = {
  alignItems: 'center',
  flexWrap: { xs: 'wrap', sm: 'nowrap' },
  '& .MuiAlert-message': { flex: 1, minWidth: { xs: '75%', sm: 0 } },
  '& .MuiAlert-action': { p: 0, mr: 0, ml: { xs: 8, sm: 'auto' }, py: { xs: 2, sm: 0 } },
};

function PaymentNotice() {
  const { t } = useTranslation();
  const text = usePaymentProblemText();
  const manage = useManageSubscription();
  if (text === null) return null;
  return (
    <Alert
      sx={alertStyles}
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
    used: formatAmount(metric, used, format),
    allowed: formatAmount(metric, allowed ?? 0, format),
  };
  return (
    <Alert
      sx={alertStyles}
      severity={warning === 100 ? 'error' : 'warning'}
      action={
        upgrade && (
          <Button size="small" component={Link} to="/pricing">
            {t('plan.upgrade')}
          </Button>
        )
      }
    >
      {t(isOverLimit(usage) ? 'plan.over' : warning === 100 ? 'plan.full' : 'plan.nearlyFull', values)}
    </Alert>
  );
}
