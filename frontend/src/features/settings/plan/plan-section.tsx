import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
import { useCurrentUser } from '../../../shared/api/current-user';
import { CurrentPlanBadge } from '../../../shared/plan/current-plan-badge';
import { UsageBars } from '../../../shared/plan/usage-bars';
import { useUsage } from '../../../shared/plan/usage';
import { useManageSubscription } from '../../../shared/plan/use-manage-subscription';
import { usePaymentProblemText } from '../../../shared/plan/use-payment-text';
import { useSubscription } from '../../../shared/plan/use-subscription';
import { ErrorState } from '../../../shared/ui/error-state';
import { RowsSkeleton } from '../../../shared/ui/skeletons';
import { Section, SectionBody } from '../components/section';
import { Invoices } from './invoices';
import { PlanDetails } from './plan-details';

/** The user's plan: price, end date, usage and invoices. */
export function PlanSection() {
  const { t } = useTranslation('settings');
  const { data: status, error, refetch } = useSubscription();
  return (
    <Section id="plan" title={t('plan.title')} text={t('plan.text')} action={<PlanActions />}>
      <SectionBody>
        {!status && !error && <RowsSkeleton rows={2} />}
        {!status && error && <ErrorState title={t('plan.failed')} error={error} onRetry={refetch} />}
        {status && (
          <Box sx={{ display: 'grid', gap: 5 }}>
            <PaymentDueAlert />
            <Box>
              <CurrentPlanBadge />
            </Box>
            <PlanDetails status={status} />
            {status.heldBy === 'agreement' && <CustomPlanNote contactEmail={status.contactEmail} />}
            <PlanUsage />
          </Box>
        )}
      </SectionBody>
      {status?.hasInvoices && <Invoices />}
    </Section>
  );
}

function PlanActions() {
  const { t } = useTranslation();
  const { data: status } = useSubscription();
  const manageSubscription = useManageSubscription();
  const canManageAtStripe = status?.can.manage && (status.subscription !== null || status.heldBy === null);
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
      {canManageAtStripe && (
        <Button loading={manageSubscription.isPending} onClick={() => manageSubscription.mutate()}>
          {t('plan.manage')}
        </Button>
      )}
      {status?.can.upgrade && (
        <Button component={RouterLink} to="/pricing">
          {t('plan.upgrade')}
        </Button>
      )}
    </Box>
  );
}

function PaymentDueAlert() {
  const text = usePaymentProblemText();
  return text && <Alert severity="error">{text}</Alert>;
}

function CustomPlanNote({ contactEmail }: { contactEmail: string | null }) {
  const { t } = useTranslation('settings');
  const { t: tCommon } = useTranslation();
  const isSuperAdmin = useCurrentUser().data?.isSuperAdmin;
  if (isSuperAdmin) return <Typography color="textSecondary">{tCommon('plan.raiseHere')}</Typography>;
  if (!contactEmail) return <Typography color="textSecondary">{t('plan.byOperator')}</Typography>;
  return (
    <Typography color="textSecondary">
      {t('plan.byAgreement')} <Link href={`mailto:${contactEmail}`}>{contactEmail}</Link>
    </Typography>
  );
}

function PlanUsage() {
  const { t } = useTranslation('settings');
  const { data: usage } = useUsage();
  if (!usage) return null;
  return (
    <Box sx={{ maxWidth: 480 }}>
      <Typography variant="subtitle2" component="h3" sx={{ mb: 2 }}>
        {t('plan.used')}
      </Typography>
      <UsageBars usage={usage} />
    </Box>
  );
}
