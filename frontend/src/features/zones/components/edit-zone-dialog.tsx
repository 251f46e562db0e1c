import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Stack from '@mui/material/Stack';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useForm } from '../../../shared/hooks/use-form';
import { toast } from '../../../shared/toast/toast-store';
import { FormField } from '../../../shared/ui/form-field';
import { SubmitButton } from '../../../shared/ui/submit-button';
import { useUpdateZone } from '../api/use-change-zone';
import type { Zone } from '../sort-zones';
import type { EditedField } from './zone-menu';

export interface EditedZone {
  zone: Zone;
  /** Which field one came for; it has the focus. */
  field: EditedField;
}

/** Asks for another name or description of a zone. */
export function EditZoneDialog({ edited, onClose }: { edited: EditedZone | null; onClose: () => void }) {
  const id = useId();
  return (
    <Dialog open={edited !== null} onClose={onClose} aria-labelledby={id} maxWidth="sm">
      {edited && <EditZoneForm titleId={id} {...edited} onClose={onClose} />}
    </Dialog>
  );
}

function EditZoneForm({ titleId, zone, field, onClose }: EditedZone & { titleId: string; onClose: () => void }) {
  const { t } = useTranslation('zones');
  const { t: common } = useTranslation();
  const errorText = useErrorText();
  const update = useUpdateZone(zone.id);
  const form = useForm({
    initial: { name: zone.name, description: zone.description },
    submit: async ({ name, description }) => {
      await update.mutateAsync({ name: name.trim(), description: description.trim() });
      onClose();
    },
    onFailure: (error) => toast.error(t('edit.failed'), errorText(error)),
  });
  return (
    <form {...form.formProps}>
      <DialogTitle id={titleId}>{t('edit.title')}</DialogTitle>
      <DialogContent>
        <Stack spacing={5}>
          <FormField
            {...form.field('name')}
            label={t('form.name')}
            maxLength={255}
            autoComplete="off"
            autoFocus={field === 'name'}
          />
          <FormField
            {...form.field('description')}
            label={t('form.description')}
            maxLength={5000}
            rows={3}
            optional
            autoFocus={field === 'description'}
          />
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{common('actions.cancel')}</Button>
        <SubmitButton sending={form.sending} disabled={!form.values.name.trim()}>
          {t('edit.submit')}
        </SubmitButton>
      </DialogActions>
    </form>
  );
}
