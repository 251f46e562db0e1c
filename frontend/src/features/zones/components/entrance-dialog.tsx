import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useForm } from '../../../shared/hooks/use-form';
import { toast } from '../../../shared/toast/toast-store';
import { SubmitButton } from '../../../shared/ui/submit-button';
import { useUpdateZone } from '../api/use-change-zone';
import { consequencesOf, type Entrance } from '../entrance';
import type { Zone } from '../sort-zones';
import { ZoneTypeFields } from './zone-type-fields';

interface Props {
  zone: Zone;
  open: boolean;
  onClose: () => void;
}

/** Asks who may join a zone from now on, and tells what comes of the change before it is made. */
export function EntranceDialog({ zone, open, onClose }: Props) {
  const id = useId();
  return (
    <Dialog open={open} onClose={onClose} aria-labelledby={id} maxWidth="sm">
      {open && <EntranceForm titleId={id} zone={zone} onClose={onClose} />}
    </Dialog>
  );
}

function EntranceForm({ titleId, zone, onClose }: { titleId: string; zone: Zone; onClose: () => void }) {
  const { t } = useTranslation('zones');
  const { t: common } = useTranslation();
  const errorText = useErrorText();
  const update = useUpdateZone(zone.id);
  const { type, autoJoin, requiresEmailOptin } = zone;
  const [value, setValue] = useState<Entrance>({ type, autoJoin, requiresEmailOptin });
  const consequences = consequencesOf(zone, value);
  const form = useForm({
    initial: {},
    submit: async () => {
      await update.mutateAsync(value.type === 'public' ? value : { type: value.type });
      toast.success(t('edit.done'));
      onClose();
    },
    onFailure: (error) => toast.error(t('edit.failed'), errorText(error)),
  });
  return (
    <form {...form.formProps}>
      <DialogTitle id={titleId}>{t('settings.changeTitle')}</DialogTitle>
      <DialogContent>
        <ZoneTypeFields value={value} onChange={(change) => setValue((before) => ({ ...before, ...change }))} />
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
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{common('actions.cancel')}</Button>
        <SubmitButton sending={form.sending} disabled={consequences.length === 0}>
          {t('settings.apply')}
        </SubmitButton>
      </DialogActions>
    </form>
  );
}
