import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
import { useCurrentUser } from '../../../shared/api/current-user';
import { PlanState } from '../../../shared/plan/plan-state';
import { UsageBars } from '../../../shared/plan/usage-bars';
import { useUsage } from '../../../shared/plan/usage';
import { useManageSubscription } from '../../../shared/plan/use-manage-subscription';
import { usePaymentText } from '../../../shared/plan/use-payment-text';
import { useSubscription } from '../../../shared/plan/use-subscription';
import { ErrorState } from '../../../shared/ui/error-state';
import { RowsSkeleton } from '../../../shared/ui/skeletons';
import { Section, SectionBody } from '../components/section';
import { Invoices } from './invoices';
import { PlanFacts } from './plan-facts';

/** The plan of the person: what it costs and until when, what is used of it, and what was charged. */
export function PlanSection() {
  const { t } = useTranslation('settings');
  const { data: status, error, refetch } = useSubscription();
  return (
    <Section id="plan" title={t('plan.title')} text={t('plan.text')} action={<Actions />}>
      <SectionBody>
        {!status && !error && <RowsSkeleton rows={2} />}
        {!status && error && <ErrorState title={t('plan.failed')} error={error} onRetry={refetch} />}
        {status && (
          <Box sx={{ display: 'grid', gap: 5 }}>
            <Owed />
            <Box>
              <PlanState />
            </Box>
            <PlanFacts status={status} />
            {status.heldBy === 'agreement' && <Agreement contact={status.contactEmail} />}
            <Used />
          </Box>
        )}
      </SectionBody>
      {status?.hasInvoices && <Invoices />}
    </Section>
  );
}

function Actions() {
  const { t } = useTranslation();
  const { data: status } = useSubscription();
  const manage = useManageSubscription();
  const atStripe = status?.can.manage && (status.subscription !== null || status.heldBy === null);
  return (
    <Box sx={{ display: 'flex', flexWrap: 'wrap', gap: 2 }}>
      {atStripe && (
        <Button loading={manage.isPending} onClick={() => manage.mutate()}>
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

function Owed() {
  const text = usePaymentText();
  return text && <Alert severity="error">{text}</Alert>;
}

function Agreement({ contact }: { contact: string | null }) {
  const { t } = useTranslation('settings');
  const { t: common } = useTranslation();
  const isSuperAdmin = useCurrentUser().data?.isSuperAdmin;
  if (isSuperAdmin) return <Typography color="textSecondary">{common('plan.raiseHere')}</Typography>;
  if (!contact) return <Typography color="textSecondary">{t('plan.byOperator')}</Typography>;
  return (
    <Typography color="textSecondary">
      {t('plan.byAgreement')} <Link href={`mailto:${contact}`}>{contact}</Link>
    </Typography>
  );
}

function Used() {
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
