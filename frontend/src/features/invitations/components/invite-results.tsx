import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useFormDialog } from '../../../shared/forms/form-dialog';
import { useFormat } from '../../../shared/hooks/use-format';
import { usePlanAbilities } from '../../../shared/plan/use-subscription';
import { useEmailDelivery } from '../../../shared/site/email-delivery';
import { CopyButton } from '../../../shared/ui/copy-button';
import type { InviteResult } from '../api/use-invitations';

/** Number of rows shown; the rest is only counted, and all of them can be copied. */
const MAX_VISIBLE_ROWS = 500;

/** Result of an invitation: how many emails are sent, and which addresses get none, with the reason. */
export function InviteResults({ result }: { result: InviteResult }) {
  const { t } = useTranslation('invitations');
  const format = useFormat();
  const isDeliveryDisabled = useEmailDelivery() === 'none';
  const { titleId, close } = useFormDialog();
  return (
    <>
      <DialogTitle id={titleId}>
        {t(isDeliveryDisabled ? 'dialog.onHold' : 'dialog.done', {
          count: result.invited,
          formatted: format.number(result.invited),
        })}
      </DialogTitle>
      <DialogContent>
        <Stack spacing={4}>
          {isDeliveryDisabled && <Typography>{t('dialog.onHoldText')}</Typography>}
          {result.planLimit && <PlanLimitAlert {...result.planLimit} />}
          {result.dailyLimit && <DailyLimitAlert {...result.dailyLimit} />}
          <NotInvitedList rows={result.results.filter(({ success }) => !success)} />
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button variant="contained" color="primary" onClick={close} autoFocus>
          {t('dialog.close')}
        </Button>
      </DialogActions>
    </>
  );
}

function PlanLimitAlert({ used, allowed }: NonNullable<InviteResult['planLimit']>) {
  const { t } = useTranslation('invitations');
  const { t: tCommon } = useTranslation();
  const format = useFormat();
  const { upgrade } = usePlanAbilities();
  const action = upgrade && (
    <Button size="small" component={Link} to="/pricing">
      {tCommon('plan.upgrade')}
    </Button>
  );
  return (
    <Alert severity="warning" action={action}>
      {t('dialog.planLimit', { allowed: format.number(allowed ?? 0), used: format.number(used) })}
    </Alert>
  );
}

/** How many people can still be invited today, and when the others can be. */
function DailyLimitAlert({ used, allowed }: NonNullable<InviteResult['dailyLimit']>) {
  const { t } = useTranslation('invitations');
  const format = useFormat();
  const remaining = Math.max(0, (allowed ?? 0) - used);
  const figures = { allowed: format.number(allowed ?? 0), used: format.number(used), left: format.number(remaining) };
  return <Alert severity="warning">{t('dialog.dailyLimit', figures)}</Alert>;
}

function NotInvitedList({ rows }: { rows: InviteResult['results'] }) {
  const { t } = useTranslation('invitations');
  const format = useFormat();
  if (rows.length === 0) return null;
  const hiddenCount = rows.length - MAX_VISIBLE_ROWS;
  return (
    <>
      <Box sx={{ display: 'flex', alignItems: 'center', justifyContent: 'space-between', gap: 3 }}>
        <Typography variant="h4">{t('dialog.notDone', { formatted: format.number(rows.length) })}</Typography>
        <CopyButton value={rows.map(({ email, message }) => `${email}\t${message}`).join('\n')} />
      </Box>
      <Box component="ul" tabIndex={0} sx={{ m: 0, p: 0, maxHeight: 320, overflowY: 'auto', listStyle: 'none' }}>
        {rows.slice(0, MAX_VISIBLE_ROWS).map(({ email, message }, index) => (
          <Box component="li" key={index} sx={{ py: 1, overflowWrap: 'anywhere' }}>
            <Typography>{email}</Typography>
            <Typography color="textSecondary">{message}</Typography>
          </Box>
        ))}
      </Box>
      {hiddenCount > 0 && (
        <Typography color="textSecondary">
          {t('dialog.more', { count: hiddenCount, formatted: format.number(hiddenCount) })}
        </Typography>
      )}
    </>
  );
}
