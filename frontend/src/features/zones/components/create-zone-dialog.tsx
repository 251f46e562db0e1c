import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Stack from '@mui/material/Stack';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../shared/api/api-error';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useForm } from '../../../shared/hooks/use-form';
import { FormField } from '../../../shared/ui/form-field';
import { SubmitButton } from '../../../shared/ui/submit-button';
import { useCreateZone } from '../api/use-create-zone';
import type { Entrance } from '../entrance';
import type { Zone } from '../sort-zones';
import { ZoneTypeFields } from './zone-type-fields';

interface Props {
  open: boolean;
  onClose: () => void;
  onCreated: (zone: Zone) => void;
}

/** Asks for what a new zone needs, and creates it. */
export function CreateZoneDialog({ open, ...rest }: Props) {
  const id = useId();
  return (
    <Dialog open={open} onClose={rest.onClose} aria-labelledby={id} maxWidth="sm">
      {open && <CreateZoneForm titleId={id} {...rest} />}
    </Dialog>
  );
}

function CreateZoneForm({ titleId, onClose, onCreated }: Omit<Props, 'open'> & { titleId: string }) {
  const { t } = useTranslation('zones');
  const { t: common } = useTranslation();
  const create = useCreateZone();
  const [failure, setFailure] = useState<unknown>(null);
  const [entrance, setEntrance] = useState<Entrance>({ type: 'private', autoJoin: true, requiresEmailOptin: true });
  const form = useForm({
    initial: { name: '', description: '' },
    validate: ({ name }) => (name.trim() ? {} : { name: t('form.nameRequired') }),
    submit: async ({ name, description }) => {
      setFailure(null);
      const texts = { name: name.trim(), description: description.trim() };
      // Terms of joining belong to public zones only.
      const terms = entrance.type === 'public' ? entrance : { type: entrance.type };
      onCreated(await create.mutateAsync({ ...texts, ...terms }));
    },
    onFailure: setFailure,
  });
  return (
    <form {...form.formProps}>
      <DialogTitle id={titleId}>{t('form.title')}</DialogTitle>
      <DialogContent>
        <Stack spacing={5}>
          {failure !== null && <Failure error={failure} />}
          <FormField {...form.field('name')} label={t('form.name')} maxLength={255} autoComplete="off" autoFocus />
          <FormField {...form.field('description')} label={t('form.description')} maxLength={5000} rows={3} optional />
          <ZoneTypeFields value={entrance} onChange={(change) => setEntrance((before) => ({ ...before, ...change }))} />
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{common('actions.cancel')}</Button>
        <SubmitButton sending={form.sending}>{t('form.submit')}</SubmitButton>
      </DialogActions>
    </form>
  );
}

function Failure({ error }: { error: unknown }) {
  const { t } = useTranslation('zones');
  const errorText = useErrorText();
  const limit = error instanceof ApiError && error.planLimit;
  return (
    <Alert severity={limit ? 'warning' : 'error'}>
      <AlertTitle>{limit ? t('form.planLimit') : t('form.failed')}</AlertTitle>
      {limit ? error.message || t('form.planLimitText') : errorText(error)}
    </Alert>
  );
}
