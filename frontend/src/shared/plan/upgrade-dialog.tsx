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
import { limitReached, useLimitReached, type LimitReached } from './limit-reached';
import { usePlanAbilities, useSubscription } from './use-subscription';
import { UsageBars } from './usage-bars';
import type { Metric } from './usage';

/** Says which limit of the plan was met, wherever that happened, and leads to a larger plan. */
export function UpgradeDialog() {
  const id = useId();
  const reached = useLimitReached();
  const [shown, setShown] = useState<LimitReached | null>(null);
  // While the dialog fades away it keeps saying what it said.
  if (reached && reached !== shown) setShown(reached);
  const { pathname } = useLocation();
  // It goes with the page: the way to the plans may first be asked for what is unsaved, above it.
  useEffect(() => limitReached.close, [pathname]);
  return (
    <Dialog open={reached !== null} onClose={limitReached.close} aria-labelledby={id} maxWidth="xs" fullWidth>
      {shown && <Content id={id} reached={shown} />}
    </Dialog>
  );
}

const metrics: readonly Metric[] = ['zones', 'people', 'bytes', 'mails'];

function Content({ id, reached }: { id: string; reached: LimitReached }) {
  const { t } = useTranslation();
  const { upgrade } = usePlanAbilities();
  const metric = metrics.find((one) => one === reached.limit);
  const { used, allowed } = reached;
  const isSuperAdmin = useCurrentUser().data?.isSuperAdmin;
  return (
    <>
      <DialogTitle id={id}>{t('plan.limitTitle')}</DialogTitle>
      <DialogContent>
        <Stack spacing={4}>
          <Typography>{reached.message || t('plan.limitText')}</Typography>
          {metric && used !== undefined && allowed !== undefined && (
            <UsageBars usage={[{ metric, used, allowed, warning: 100 }]} />
          )}
          <Typography variant="body2" color="textSecondary">
            {t('plan.nothingLost')}
          </Typography>
          {!upgrade && <WhoRaisesIt />}
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button onClick={limitReached.close}>{t('plan.notNow')}</Button>
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

/** Nobody is left without a way on: those who run the installation raise it themselves, others are told whom to ask. */
function WhoRaisesIt() {
  const { t } = useTranslation();
  const contact = useSubscription().data?.contactEmail;
  const isSuperAdmin = useCurrentUser().data?.isSuperAdmin;
  if (isSuperAdmin) return <Typography variant="body2">{t('plan.raiseHere')}</Typography>;
  if (!contact) return <Typography variant="body2">{t('plan.askOperator')}</Typography>;
  return (
    <Typography variant="body2">
      {t('plan.askForMore')} <Link href={`mailto:${contact}`}>{contact}</Link>
    </Typography>
  );
}
