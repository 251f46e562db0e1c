import Alert from '@mui/material/Alert';
import MuiLink from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError, hasCode } from '../../../shared/api/api-error';
import { api } from '../../../shared/api/client';
import { invalidate } from '../../../shared/api/invalidate';
import { zonePathParams } from '../../../shared/api/use-zone';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { DialogForm, FormDialog } from '../../../shared/forms/form-dialog';
import { useForm } from '../../../shared/forms/use-form';
import { toast } from '../../../shared/toast/toast-store';
import { FormField } from '../../../shared/ui/fields/form-field';
import type { SharedZone } from '../sort-shared-zones';

const MAX_REASON_LENGTH = 500;

interface Props {
  /** null closes the dialog. */
  zone: SharedZone | null;
  onClose: () => void;
  /** Navigates away from the zone. */
  onLeft?: () => void;
}

/** Asks for an optional reason, then leaves the zone and its emails. */
export function LeaveZoneDialog({ zone, onClose, onLeft }: Props) {
  return (
    <FormDialog open={zone !== null} onClose={onClose}>
      {zone && <LeaveZoneForm zone={zone} onClose={onClose} onLeft={onLeft} />}
    </FormDialog>
  );
}

function LeaveZoneForm({ zone, onClose, onLeft }: Props & { zone: SharedZone }) {
  const { t } = useTranslation('sharedZones');
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const [limitError, setLimitError] = useState<ApiError | null>(null);
  const form = useForm({
    draft: { key: `zone.${zone.id}.leave`, fields: ['reason'] },
    initial: { reason: '' },
    submit: async ({ reason }) => {
      const body = reason.trim() === '' ? {} : { reason: reason.trim() };
      await api.POST('/api/zones/{id}/leave', { params: { path: zonePathParams(zone.id) }, body });
      onLeft?.();
      await invalidate(queryClient, 'POST /api/zones/{id}/leave');
      toast.success(t('leave.done'), t('leave.doneText', { name: zone.name }));
      onClose();
    },
    onFailure: (error) => {
      if (hasCode(error, 'LEAVE_LIMIT')) setLimitError(error);
      else toast.error(t('leave.failed'), errorText(error) || t('leave.failedText'));
    },
  });
  return (
    <DialogForm
      title={t('leave.title', { name: zone.name })}
      form={form}
      submitLabel={t('leave.action')}
      disabled={limitError !== null}
      isDestructive
    >
      <Typography color="textSecondary">{zone.isPrivate ? t('leave.textPrivate') : t('leave.textPublic')}</Typography>
      {limitError && (
        <Alert severity="warning">
          <TextWithLink text={limitError.message} />
        </Alert>
      )}
      <FormField
        {...form.field('reason')}
        label={t('leave.reason')}
        help={t('leave.reasonHelp')}
        optional
        rows={3}
        maxLength={MAX_REASON_LENGTH}
      />
    </DialogForm>
  );
}

/** Text with its URL as a link. */
function TextWithLink({ text }: { text: string }) {
  const { t } = useTranslation('sharedZones');
  const url = /https?:\/\/\S+/.exec(text)?.[0];
  if (!url) return text;
  const path = new URL(url).pathname;
  return (
    <>
      {text.replace(url, '').trim()} <MuiLink href={path}>{t('leave.unsubscribe')}</MuiLink>
    </>
  );
}
