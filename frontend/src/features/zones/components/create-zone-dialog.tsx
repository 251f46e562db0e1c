import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../shared/api/api-error';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { DialogForm, FormDialog } from '../../../shared/forms/form-dialog';
import { useForm } from '../../../shared/forms/use-form';
import { FormField } from '../../../shared/ui/fields/form-field';
import { useCreateZone } from '../../../shared/zone/use-create-zone';
import type { Entrance } from '../entrance';
import type { Zone } from '../sort-zones';
import { ZoneTypeFields } from './zone-type-fields';

const atFirst = {
  name: '',
  description: '',
  type: 'private' as Entrance['type'],
  autoJoin: true as boolean,
  requiresEmailOptin: true as boolean,
};
const kept = { as: 'zone.new', fields: ['name', 'description', 'type', 'autoJoin', 'requiresEmailOptin'] } as const;

interface Props {
  open: boolean;
  onClose: () => void;
  onCreated: (zone: Zone) => void;
}

/** Asks for what a new zone needs, and creates it. */
export function CreateZoneDialog({ open, ...rest }: Props) {
  return (
    <FormDialog open={open} onClose={rest.onClose}>
      <CreateZoneForm onCreated={rest.onCreated} />
    </FormDialog>
  );
}

function CreateZoneForm({ onCreated }: Pick<Props, 'onCreated'>) {
  const { t } = useTranslation('zones');
  const create = useCreateZone();
  const [failure, setFailure] = useState<unknown>(null);
  const form = useForm({
    initial: atFirst,
    keep: kept,
    validate: ({ name }) => (name.trim() ? {} : { name: t('form.nameRequired') }),
    submit: async ({ name, description, ...entrance }) => {
      setFailure(null);
      const texts = { name: name.trim(), description: description.trim() };
      // Terms of joining belong to public zones only.
      const terms = entrance.type === 'public' ? entrance : { type: entrance.type };
      onCreated(await create.mutateAsync({ ...texts, ...terms }));
    },
    onFailure: setFailure,
  });
  return (
    <DialogForm title={t('form.title')} form={form} submit={t('form.submit')}>
      {failure !== null && <Failure error={failure} />}
      <FormField {...form.field('name')} label={t('form.name')} maxLength={255} autoComplete="off" autoFocus />
      <FormField {...form.field('description')} label={t('form.description')} maxLength={5000} rows={3} optional />
      <ZoneTypeFields value={form.values} onChange={form.setAll} />
    </DialogForm>
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
