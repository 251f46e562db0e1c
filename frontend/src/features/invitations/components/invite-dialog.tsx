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
import { ADDRESS_LIMIT, parseAddresses } from '../parse-addresses';
import { useInvite, type InviteResult } from '../api/use-invitations';
import { NewZoneFields } from '../../../shared/zone/new-zone-fields';
import { useCreateFirstZone, useFirstZoneDefaults } from '../../../shared/zone/use-create-first-zone';
import { InviteResults } from './invite-results';

interface Props {
  /** The zone to invite to; if undefined, the dialog asks for it. */
  zoneId?: number;
  open: boolean;
  onClose: () => void;
}

/** Asks for email addresses, invites them, and shows the result for each. */
export function InviteDialog({ zoneId, open, onClose }: Props) {
  const [result, setResult] = useState<InviteResult | null>(null);
  const close = () => {
    setResult(null);
    onClose();
  };
  return (
    <FormDialog open={open} onClose={close}>
      {result ? <InviteResults result={result} /> : <InviteForm zoneId={zoneId} onInvited={setResult} />}
    </FormDialog>
  );
}

interface FormProps {
  zoneId?: number;
  onInvited: (result: InviteResult) => void;
}

function InviteForm({ zoneId, onInvited }: FormProps) {
  const { t } = useTranslation('invitations');
  const zones = $api.useQuery('get', '/api/zones', undefined, { enabled: zoneId === undefined });
  const isDeliveryDisabled = useEmailDelivery() === 'none';
  const { form, needsFirstZone } = useInviteForm({ zoneId, zones: zones.data, onInvited });
  return (
    <DialogForm
      title={t('dialog.title')}
      form={form}
      submitLabel={t(needsFirstZone ? 'dialog.createAndSubmit' : 'dialog.submit')}
    >
      {needsFirstZone ? (
        <NewZoneFields
          name={form.field('name')}
          type={form.values.type}
          onTypeChange={(type) => form.set('type', type)}
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
      <Typography color="textSecondary">{t(isDeliveryDisabled ? 'dialog.onHoldText' : 'dialog.text')}</Typography>
      <FormField
        {...form.field('emails')}
        label={t('dialog.field')}
        help={t('dialog.help')}
        rows={6}
        autoComplete="off"
        autoFocus={zoneId !== undefined}
      />
      <AddressCount text={form.values.emails} />
    </DialogForm>
  );
}

/** Creates a zone first if the user has none. */
function useInviteForm({ zoneId, zones, onInvited }: FormProps & { zones: readonly unknown[] | undefined }) {
  const { t } = useTranslation('invitations');
  const { t: tNewZone } = useTranslation('newZone');
  const format = useFormat();
  const errorText = useErrorText();
  const invite = useInvite();
  const createFirstZone = useCreateFirstZone();
  const validateZone = ({ zone, name }: { zone: string; name: string }) => {
    if (needsFirstZone) return name.trim() ? {} : { name: tNewZone('nameRequired') };
    return zone ? {} : { zone: t('dialog.noZone') };
  };
  const form = useForm({
    draft: {
      key: zoneId === undefined ? 'invite' : `zone.${zoneId}.invite`,
      fields: ['zone', 'name', 'type', 'emails'],
    },
    initial: { zone: zoneId === undefined ? '' : String(zoneId), ...useFirstZoneDefaults(), emails: '' },
    validate: ({ zone, name, emails }) => {
      const { all, invalid } = parseAddresses(emails);
      const zoneErrors = validateZone({ zone, name });
      if (all.length === invalid.length) return { ...zoneErrors, emails: t('dialog.none') };
      if (all.length <= ADDRESS_LIMIT) return zoneErrors;
      return { ...zoneErrors, emails: t('dialog.tooMany', { formatted: format.number(ADDRESS_LIMIT) }) };
    },
    submit: async ({ zone, name, type, emails }) => {
      const targetZoneId = needsFirstZone ? (await createFirstZone({ name, type })).id : Number(zone);
      // The zone exists now: if the invitations fail, a retry uses it.
      form.set('zone', String(targetZoneId));
      onInvited(await invite.mutateAsync({ zoneId: targetZoneId, emails: parseAddresses(emails).all }));
    },
    onFailure: (error) => toast.error(t('dialog.failed'), errorText(error)),
  });
  const needsFirstZone: boolean = zones?.length === 0 && !form.values.zone;
  return { form, needsFirstZone };
}

interface ZoneFieldProps {
  id: string;
  value: string;
  error?: string;
  zones: { data?: readonly { id: number; name: string }[]; error: unknown; refetch: () => void };
  onChange: (zoneId: string) => void;
}

/** Select of the user's own zones to invite to. */
function ZoneField({ zones: { data, error, refetch }, ...props }: ZoneFieldProps) {
  const { t } = useTranslation('invitations');
  if (error && !data) return <ErrorState title={t('dialog.zonesFailed')} error={error} onRetry={refetch} />;
  if (!data) return <RowsSkeleton rows={1} />;
  return <ZoneSelect {...props} name="zone" label={t('dialog.zone')} emptyLabel={t('dialog.zoneNone')} zones={data} />;
}

/** Number of addresses, and which of them are invalid. */
function AddressCount({ text }: { text: string }) {
  const { t } = useTranslation('invitations');
  const format = useFormat();
  const { all, invalid } = parseAddresses(text);
  if (all.length === 0) return null;
  const list = invalid.slice(0, 5).join(', ') + (invalid.length > 5 ? ' …' : '');
  return (
    <Box role="status">
      <Typography color="textSecondary">
        {t('dialog.counted', { count: all.length, formatted: format.number(all.length) })}
      </Typography>
      {invalid.length > 0 && (
        <Typography color="error" sx={{ overflowWrap: 'anywhere' }}>
          {t('dialog.broken', { count: invalid.length, formatted: format.number(invalid.length), list })}
        </Typography>
      )}
    </Box>
  );
}
