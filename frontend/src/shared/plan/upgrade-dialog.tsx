import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Link from '@mui/material/Link';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink, useLocation } from 'react-router';
import { useCurrentUser } from '../api/current-user';
import { planLimitStore, useReachedPlanLimit, type ReachedPlanLimit } from './plan-limit-store';
import { usePlanAbilities, useSubscription } from './use-subscription';
import { UsageBars } from './usage-bars';
import type { Metric } from './usage';

/** Says which plan limit was reached, wherever that happened, and links to larger plans. */
export function UpgradeDialog() {
  const titleId = useId();
  const reachedLimit = useReachedPlanLimit();
  const [displayedLimit, setDisplayedLimit] = useState<ReachedPlanLimit | null>(null);
  // While the dialog closes, it keeps its text.
  if (reachedLimit && reachedLimit !== displayedLimit) setDisplayedLimit(reachedLimit);
  const { pathname } = useLocation();
  // Closes on navigation: the way to the plans may first open the dialog for unsaved changes above it.
  useEffect(() => planLimitStore.close, [pathname]);
  return (
    <Dialog
      open={reachedLimit !== null}
      onClose={planLimitStore.close}
      aria-labelledby={titleId}
      maxWidth="xs"
      fullWidth
    >
      {displayedLimit && <UpgradeDialogContent titleId={titleId} reachedLimit={displayedLimit} />}
    </Dialog>
  );
}

const metrics: readonly Metric[] = ['zones', 'people', 'bytes', 'mails'];

function UpgradeDialogContent({ titleId, reachedLimit }: { titleId: string; reachedLimit: ReachedPlanLimit }) {
  const { t } = useTranslation();
  const { upgrade } = usePlanAbilities();
  const metric = metrics.find((known) => known === reachedLimit.limit);
  const { used, allowed } = reachedLimit;
  const isSuperAdmin = useCurrentUser().data?.isSuperAdmin;
  return (
    <>
      <DialogTitle id={titleId}>{t('plan.limitTitle')}</DialogTitle>
      <DialogContent>
        <Stack spacing={4}>
          <Typography>{reachedLimit.message || t('plan.limitText')}</Typography>
          {metric && used !== undefined && allowed !== undefined && (
            <UsageBars usage={[{ metric, used, allowed, warning: 100 }]} />
          )}
          <Typography variant="body2" color="textSecondary">
            {t('plan.nothingLost')}
          </Typography>
          {!upgrade && <LimitIncreaseHelp />}
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button onClick={planLimitStore.close}>{t('plan.notNow')}</Button>
        {!upgrade && isSuperAdmin && (
          <Button component={RouterLink} to="/admin/installation" variant="contained" color="primary">
            {t('plan.raise')}
          </Button>
        )}
        {upgrade && (
          <Button component={RouterLink} to="/pricing" variant="contained" color="primary">
            {t('plan.upgrade')}
          </Button>
        )}
      </DialogActions>
    </>
  );
}

/** What to do where no larger plan is offered: administrators can raise the limit, others are told whom to contact. */
function LimitIncreaseHelp() {
  const { t } = useTranslation();
  const contactEmail = useSubscription().data?.contactEmail;
  const isSuperAdmin = useCurrentUser().data?.isSuperAdmin;
  if (isSuperAdmin) return <Typography variant="body2">{t('plan.raiseHere')}</Typography>;
  if (!contactEmail) return <Typography variant="body2">{t('plan.askOperator')}</Typography>;
  return (
    <Typography variant="body2">
      {t('plan.askForMore')} <Link href={`mailto:${contactEmail}`}>{contactEmail}</Link>
    </Typography>
  );
}
