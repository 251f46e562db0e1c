import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { DialogForm, FormDialog } from '../../../shared/forms/form-dialog';
import { useForm } from '../../../shared/forms/use-form';
import { toast } from '../../../shared/toast/toast-store';
import { useUpdateZone, ZoneConflictError } from '../api/use-zone-mutations';
import { listConsequences, type JoinSettings } from '../join-settings';
import type { Zone } from '../sort-zones';
import { ZoneTypeFields } from './zone-type-fields';

interface Props {
  zone: Zone;
  open: boolean;
  onClose: () => void;
}

/** Edits who can join a zone, and explains the consequences before saving. */
export function JoinSettingsDialog({ zone, open, onClose }: Props) {
  return (
    <FormDialog open={open} onClose={onClose}>
      <JoinSettingsForm zone={zone} onClose={onClose} />
    </FormDialog>
  );
}

function JoinSettingsForm({ zone, onClose }: { zone: Zone; onClose: () => void }) {
  const { t } = useTranslation('zones');
  const { t: common } = useTranslation();
  const errorText = useErrorText();
  const update = useUpdateZone();
  const { type, autoJoin, requiresEmailOptin } = zone;
  const [value, setValue] = useState<JoinSettings>({ type, autoJoin, requiresEmailOptin });
  const consequences = listConsequences(zone, value);
  const form = useForm({
    initial: {},
    submit: async () => {
      await update.mutateAsync({ baseZone: zone, changes: value.type === 'public' ? value : { type: value.type } });
      toast.success(t('edit.done'));
      onClose();
    },
    onFailure: (error) => {
      // The consequences are computed again from the zone's current settings.
      if (error instanceof ZoneConflictError) toast.error(common('form.changedTitle'), t('settings.changedElsewhere'));
      else toast.error(t('edit.failed'), errorText(error));
    },
  });
  return (
    <DialogForm
      title={t('settings.changeTitle')}
      form={form}
      submitLabel={t('settings.apply')}
      disabled={consequences.length === 0}
      hasOtherChanges={consequences.length > 0}
    >
      <ZoneTypeFields value={value} onChange={(change) => setValue((previous) => ({ ...previous, ...change }))} />
      <Box role="status">
        {consequences.length > 0 && (
          <Alert severity="warning" role="none" sx={{ mt: 5, bgcolor: 'tint.warning' }}>
            <Box component="ul" sx={{ m: 0, pl: 4 }}>
              {consequences.map((name) => (
                <li key={name}>{t(`consequences.${name}`)}</li>
              ))}
            </Box>
          </Alert>
        )}
      </Box>
    </DialogForm>
  );
}
