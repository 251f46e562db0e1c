import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { $api } from '../../../shared/api/client';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { DialogForm, FormDialog } from '../../../shared/forms/form-dialog';
import { useForm } from '../../../shared/forms/use-form';
import { useFormat } from '../../../shared/hooks/use-format';
import { toast } from '../../../shared/toast/toast-store';
import { ErrorState } from '../../../shared/ui/error-state';
import { FormField } from '../../../shared/ui/fields/form-field';
import { RowsSkeleton } from '../../../shared/ui/skeletons';
import { ZoneSelect } from '../../../shared/ui/fields/zone-select';
import { ADDRESS_LIMIT, readAddresses } from '../addresses';
import { useInvite, type InviteAnswer } from '../api/use-invitations';
import { InviteResults } from './invite-results';

interface Props {
  /** To which zone; left out, the dialog asks. */
  zoneId?: number;
  open: boolean;
  onClose: () => void;
}

/** Asks for addresses, invites them, and tells what became of each. */
export function InviteDialog({ zoneId, open, onClose }: Props) {
  const [answer, setAnswer] = useState<InviteAnswer | null>(null);
  const close = () => {
    setAnswer(null);
    onClose();
  };
  return (
    <FormDialog open={open} onClose={close}>
      {answer ? <InviteResults answer={answer} /> : <InviteForm zoneId={zoneId} onDone={setAnswer} />}
    </FormDialog>
  );
}

interface FormProps {
  zoneId?: number;
  onDone: (answer: InviteAnswer) => void;
}

function InviteForm({ zoneId, onDone }: FormProps) {
  const { t } = useTranslation('invitations');
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
    <DialogForm title={t('dialog.title')} form={form} submit={t('dialog.submit')}>
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
    </DialogForm>
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
