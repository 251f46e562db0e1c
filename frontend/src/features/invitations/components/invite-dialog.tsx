import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { $api } from '../../../shared/api/client';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useForm } from '../../../shared/hooks/use-form';
import { useFormat } from '../../../shared/hooks/use-format';
import { usePlanAbilities } from '../../../shared/plan/use-subscription';
import { toast } from '../../../shared/toast/toast-store';
import { ErrorState } from '../../../shared/ui/error-state';
import { FormField } from '../../../shared/ui/form-field';
import { RowsSkeleton } from '../../../shared/ui/skeletons';
import { SubmitButton } from '../../../shared/ui/submit-button';
import { ZoneSelect } from '../../../shared/ui/zone-select';
import { ADDRESS_LIMIT, readAddresses } from '../addresses';
import { useInvite, type InviteAnswer } from '../api/use-invitations';

interface Props {
  /** To which zone; left out, the dialog asks. */
  zoneId?: number;
  open: boolean;
  onClose: () => void;
}

/** Asks for addresses, invites them, and tells what became of each. */
export function InviteDialog({ zoneId, open, onClose }: Props) {
  const id = useId();
  const [answer, setAnswer] = useState<InviteAnswer | null>(null);
  const close = () => {
    setAnswer(null);
    onClose();
  };
  return (
    <Dialog open={open} onClose={close} aria-labelledby={id} maxWidth="sm">
      {open && !answer && <InviteForm titleId={id} zoneId={zoneId} onClose={close} onDone={setAnswer} />}
      {open && answer && <InviteResults titleId={id} answer={answer} onClose={close} />}
    </Dialog>
  );
}

interface FormProps {
  titleId: string;
  zoneId?: number;
  onClose: () => void;
  onDone: (answer: InviteAnswer) => void;
}

function InviteForm({ titleId, zoneId, onClose, onDone }: FormProps) {
  const { t } = useTranslation('invitations');
  const { t: common } = useTranslation();
  const format = useFormat();
  const errorText = useErrorText();
  const invite = useInvite();
  const form = useForm({
    initial: { zone: zoneId === undefined ? '' : String(zoneId), emails: '' },
    validate: ({ zone, emails }) => {
      const { all, broken } = readAddresses(emails);
      const noZone = zone ? {} : { zone: t('dialog.noZone') };
      if (all.length === broken.length) return { ...noZone, emails: t('dialog.none') };
      if (all.length <= ADDRESS_LIMIT) return noZone;
      return { ...noZone, emails: t('dialog.tooMany', { formatted: format.number(ADDRESS_LIMIT) }) };
    },
    submit: async ({ zone, emails }) =>
      onDone(await invite.mutateAsync({ zoneId: Number(zone), emails: readAddresses(emails).all })),
    onFailure: (error) => toast.error(t('dialog.failed'), errorText(error)),
  });
  return (
    <form {...form.formProps}>
      <DialogTitle id={titleId}>{t('dialog.title')}</DialogTitle>
      <DialogContent>
        <Stack spacing={4}>
          <Typography color="textSecondary">{t('dialog.text')}</Typography>
          {zoneId === undefined && (
            <ZoneField
              {...{ id: form.field('zone').id, error: form.errors.zone, value: form.values.zone }}
              onChange={(zone) => form.set('zone', zone)}
            />
          )}
          <FormField
            {...form.field('emails')}
            label={t('dialog.field')}
            help={t('dialog.help')}
            rows={6}
            autoComplete="off"
            autoFocus={zoneId !== undefined}
          />
          <Counted text={form.values.emails} />
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{common('actions.cancel')}</Button>
        <SubmitButton sending={form.sending}>{t('dialog.submit')}</SubmitButton>
      </DialogActions>
    </form>
  );
}

interface ZoneFieldProps {
  id: string;
  value: string;
  error?: string;
  onChange: (zoneId: string) => void;
}

/** Which of one's own zones people are invited to. */
function ZoneField(props: ZoneFieldProps) {
  const { t } = useTranslation('invitations');
  const { data: zones, error, refetch } = $api.useQuery('get', '/api/zones');
  if (error && !zones) return <ErrorState title={t('dialog.zonesFailed')} error={error} onRetry={refetch} />;
  if (!zones) return <RowsSkeleton rows={1} />;
  return (
    <ZoneSelect
      {...props}
      name="zone"
      label={t('dialog.zone')}
      help={zones.length === 0 ? t('dialog.noZones') : undefined}
      none={t('dialog.zoneNone')}
      zones={zones}
    />
  );
}

/** How many addresses there are, and which of them cannot be right. */
function Counted({ text }: { text: string }) {
  const { t } = useTranslation('invitations');
  const format = useFormat();
  const { all, broken } = readAddresses(text);
  if (all.length === 0) return null;
  const list = broken.slice(0, 5).join(', ') + (broken.length > 5 ? ' …' : '');
  return (
    <Box role="status">
      <Typography color="textSecondary">
        {t('dialog.counted', { count: all.length, formatted: format.number(all.length) })}
      </Typography>
      {broken.length > 0 && (
        <Typography color="error" sx={{ overflowWrap: 'anywhere' }}>
          {t('dialog.broken', { count: broken.length, formatted: format.number(broken.length), list })}
        </Typography>
      )}
    </Box>
  );
}

function InviteResults({ titleId, answer, onClose }: { titleId: string; answer: InviteAnswer; onClose: () => void }) {
  const { t } = useTranslation('invitations');
  const format = useFormat();
  const { t: common } = useTranslation();
  const { upgrade } = usePlanAbilities();
  const rest = answer.results.filter(({ success }) => !success);
  return (
    <>
      <DialogTitle id={titleId}>
        {t('dialog.done', { count: answer.invited, formatted: format.number(answer.invited) })}
      </DialogTitle>
      <DialogContent>
        <Stack spacing={4}>
          {answer.planLimit && (
            <Alert
              severity="warning"
              action={
                upgrade && (
                  <Button size="small" component={Link} to="/pricing">
                    {common('plan.upgrade')}
                  </Button>
                )
              }
            >
              {t('dialog.planLimit', {
                allowed: format.number(answer.planLimit.allowed ?? 0),
                used: format.number(answer.planLimit.used),
              })}
            </Alert>
          )}
          {rest.length > 0 && <Typography variant="h4">{t('dialog.notDone')}</Typography>}
          <Box component="ul" tabIndex={0} sx={{ m: 0, p: 0, maxHeight: 320, overflowY: 'auto', listStyle: 'none' }}>
            {rest.slice(0, 500).map(({ email, message }, index) => (
              <Box component="li" key={index} sx={{ py: 1, overflowWrap: 'anywhere' }}>
                <Typography>{email}</Typography>
                <Typography color="textSecondary">{message}</Typography>
              </Box>
            ))}
          </Box>
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button variant="contained" color="primary" onClick={onClose} autoFocus>
          {t('dialog.close')}
        </Button>
      </DialogActions>
    </>
  );
}
