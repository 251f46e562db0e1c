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
import type { JoinSettings } from '../join-settings';
import type { Zone } from '../sort-zones';
import { ZoneTypeFields } from './zone-type-fields';

const INITIAL_VALUES = {
  name: '',
  description: '',
  type: 'private' as JoinSettings['type'],
  autoJoin: true as boolean,
  requiresEmailOptin: true as boolean,
};
const DRAFT_OPTIONS = {
  key: 'zone.new',
  fields: ['name', 'description', 'type', 'autoJoin', 'requiresEmailOptin'],
} as const;

interface Props {
  open: boolean;
  onClose: () => void;
  onCreated: (zone: Zone) => void;
}

/** Creates a zone. */
export function CreateZoneDialog({ open, ...rest }: Props) {
  return (
    <FormDialog open={open} onClose={rest.onClose}>
      <CreateZoneForm onCreated={rest.onCreated} />
    </FormDialog>
  );
}

function CreateZoneForm({ onCreated }: Pick<Props, 'onCreated'>) {
  const { t } = useTranslation('zones');
  const createZone = useCreateZone();
  const [failure, setFailure] = useState<unknown>(null);
  const form = useForm({
    initial: INITIAL_VALUES,
    draft: DRAFT_OPTIONS,
    validate: ({ name }) => (name.trim() ? {} : { name: t('form.nameRequired') }),
    submit: async ({ name, description, ...joinSettings }) => {
      setFailure(null);
      const details = { name: name.trim(), description: description.trim() };
      // Only public zones have join settings.
      const settingsOfType = joinSettings.type === 'public' ? joinSettings : { type: joinSettings.type };
      onCreated(await createZone.mutateAsync({ ...details, ...settingsOfType }));
    },
    onFailure: setFailure,
  });
  return (
    <DialogForm title={t('form.title')} form={form} submitLabel={t('form.submit')}>
      {failure !== null && <CreateZoneError error={failure} />}
      <FormField {...form.field('name')} label={t('form.name')} maxLength={255} autoComplete="off" autoFocus />
      <FormField {...form.field('description')} label={t('form.description')} maxLength={5000} rows={3} optional />
      <ZoneTypeFields value={form.values} onChange={form.setAll} />
    </DialogForm>
  );
}

function CreateZoneError({ error }: { error: unknown }) {
  const { t } = useTranslation('zones');
  const errorText = useErrorText();
  const isPlanLimit = error instanceof ApiError && error.planLimit;
  return (
    <Alert severity={isPlanLimit ? 'warning' : 'error'}>
      <AlertTitle>{isPlanLimit ? t('form.planLimit') : t('form.failed')}</AlertTitle>
      {isPlanLimit ? error.message || t('form.planLimitText') : errorText(error)}
    </Alert>
  );
}
