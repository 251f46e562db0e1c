import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { $api } from '../../../shared/api/client';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { DialogForm, FormDialog } from '../../../shared/forms/form-dialog';
import { useForm } from '../../../shared/forms/use-form';
import { useFormat } from '../../../shared/hooks/use-format';
import { useEmailDelivery } from '../../../shared/site/email-delivery';
import { toast } from '../../../shared/toast/toast-store';
import { ErrorState } from '../../../shared/ui/error-state';
import { FormField } from '../../../shared/ui/fields/form-field';
import { RowsSkeleton } from '../../../shared/ui/skeletons';
import { ZoneSelect } from '../../../shared/ui/fields/zone-select';
import { ADDRESS_LIMIT, readAddresses } from '../addresses';
import { useInvite, type InviteAnswer } from '../api/use-invitations';
import { NewZoneFields } from '../../../shared/zone/new-zone-fields';
import { useFirstZone, useFirstZoneValues } from '../../../shared/zone/use-first-zone';
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
  const zones = $api.useQuery('get', '/api/zones', undefined, { enabled: zoneId === undefined });
  const isKept = useEmailDelivery() === 'none';
  const { form, isFirst } = useInviteForm({ zoneId, zones: zones.data, onDone });
  return (
    <DialogForm title={t('dialog.title')} form={form} submit={t(isFirst ? 'dialog.createAndSubmit' : 'dialog.submit')}>
      {isFirst ? (
        <NewZoneFields
          name={form.field('name')}
          type={form.values.type}
          onType={(type) => form.set('type', type)}
          autoFocus
        />
      ) : (
        zoneId === undefined && (
          <ZoneField
            {...{ id: form.field('zone').id, error: form.errors.zone, value: form.values.zone, zones }}
            onChange={(zone) => form.set('zone', zone)}
          />
        )
      )}
      <Typography color="textSecondary">{t(isKept ? 'dialog.keptText' : 'dialog.text')}</Typography>
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

/** Who has no zone gets one with the invitations. */
function useInviteForm({ zoneId, zones, onDone }: FormProps & { zones: readonly unknown[] | undefined }) {
  const { t } = useTranslation('invitations');
  const { t: ofZone } = useTranslation('newZone');
  const format = useFormat();
  const errorText = useErrorText();
  const invite = useInvite();
  const makeFirst = useFirstZone();
  const checkZone = ({ zone, name }: { zone: string; name: string }) => {
    if (isFirst) return name.trim() ? {} : { name: ofZone('nameRequired') };
    return zone ? {} : { zone: t('dialog.noZone') };
  };
  const form = useForm({
    keep: { as: zoneId === undefined ? 'invite' : `zone.${zoneId}.invite`, fields: ['zone', 'name', 'type', 'emails'] },
    initial: { zone: zoneId === undefined ? '' : String(zoneId), ...useFirstZoneValues(), emails: '' },
    validate: ({ zone, name, emails }) => {
      const { all, broken } = readAddresses(emails);
      const ofTheZone = checkZone({ zone, name });
      if (all.length === broken.length) return { ...ofTheZone, emails: t('dialog.none') };
      if (all.length <= ADDRESS_LIMIT) return ofTheZone;
      return { ...ofTheZone, emails: t('dialog.tooMany', { formatted: format.number(ADDRESS_LIMIT) }) };
    },
    submit: async ({ zone, name, type, emails }) => {
      const target = isFirst ? (await makeFirst({ name, type })).id : Number(zone);
      // The zone is there now: should the invitations fail, they are sent to it again.
      form.set('zone', String(target));
      onDone(await invite.mutateAsync({ zoneId: target, emails: readAddresses(emails).all }));
    },
    onFailure: (error) => toast.error(t('dialog.failed'), errorText(error)),
  });
  const isFirst: boolean = zones?.length === 0 && !form.values.zone;
  return { form, isFirst };
}

interface ZoneFieldProps {
  id: string;
  value: string;
  error?: string;
  zones: { data?: readonly { id: number; name: string }[]; error: unknown; refetch: () => void };
  onChange: (zoneId: string) => void;
}

/** Which of one's own zones people are invited to. */
function ZoneField({ zones: { data, error, refetch }, ...props }: ZoneFieldProps) {
  const { t } = useTranslation('invitations');
  if (error && !data) return <ErrorState title={t('dialog.zonesFailed')} error={error} onRetry={refetch} />;
  if (!data) return <RowsSkeleton rows={1} />;
  return <ZoneSelect {...props} name="zone" label={t('dialog.zone')} none={t('dialog.zoneNone')} zones={data} />;
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
