import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { $api } from '../../../shared/api/client';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { DialogForm, FormDialog } from '../../../shared/forms/form-dialog';
import { useForm } from '../../../shared/forms/use-form';
import { toast } from '../../../shared/toast/toast-store';
import { ChoiceField } from '../../../shared/ui/fields/choice-field';
import { FormField } from '../../../shared/ui/fields/form-field';
import { fieldLimits, priorities, statuses, type Suggestion } from '../suggestion';
import { useSuggestionValidation } from '../use-suggestion-validation';

interface Props {
  suggestion: Suggestion;
  onClose: () => void;
  /** Called when the change has been saved. */
  onSaved: () => void;
}

/** Lets administrators answer a suggestion. Its author is notified of a new status by email. */
export function EditSuggestionDialog(props: Props) {
  return (
    <FormDialog open onClose={props.onClose}>
      <EditForm {...props} />
    </FormDialog>
  );
}

function useEditForm({ suggestion, onClose, onSaved }: Props) {
  const { t } = useTranslation('suggestions');
  const errorText = useErrorText();
  const update = $api.useMutation('patch', '/api/feature-suggestions/{id}');
  const validateText = useSuggestionValidation();
  const { id, title, description, status, priority, adminNotes, estimatedHours, targetVersion } = suggestion;
  return useForm({
    draft: { key: `suggestion.${id}.answer`, fields: persistedFields, replacesSaved: true },
    initial: {
      title,
      description,
      status,
      priority,
      adminNotes: adminNotes ?? '',
      estimatedHours: estimatedHours === null ? '' : String(estimatedHours),
      targetVersion: targetVersion ?? '',
    },
    validate: (values) => ({
      ...validateText(values),
      estimatedHours: isValidHours(values.estimatedHours) ? undefined : t('edit.hoursRange', { ...fieldLimits.hours }),
    }),
    submit: async ({ estimatedHours: hours, ...words }) => {
      const body = { ...words, estimatedHours: hours.trim() === '' ? null : Number(hours) };
      await update.mutateAsync({ params: { path: { id } }, body });
      toast.success(t('edit.saved'));
      onSaved();
      onClose();
    },
    onFailure: (error) => toast.error(t('edit.failed'), errorText(error)),
  });
}

const persistedFields = [
  'title',
  'description',
  'status',
  'priority',
  'adminNotes',
  'estimatedHours',
  'targetVersion',
] as const;

const isValidHours = (text: string) =>
  text.trim() === '' ||
  (/^\d{1,3}$/.test(text.trim()) && Number(text) >= fieldLimits.hours.least && Number(text) <= fieldLimits.hours.most);

function EditForm(props: Props) {
  const { t } = useTranslation('suggestions');
  const form = useEditForm(props);
  const twoColumnsSx = { display: 'grid', gap: 4, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } };
  return (
    <DialogForm title={t('edit.title')} form={form} submitLabel={t('edit.save')}>
      <Box sx={twoColumnsSx}>
        <ChoiceField
          {...form.field('status')}
          label={t('edit.status')}
          options={statuses.map((value) => ({ value, label: t(`status.${value}`) }))}
          onChange={(value) => form.set('status', value)}
        />
        <ChoiceField
          {...form.field('priority')}
          label={t('edit.priority')}
          options={priorities.map((value) => ({ value, label: t(`priorityName.${value}`) }))}
          onChange={(value) => form.set('priority', value)}
        />
      </Box>
      <FormField
        {...form.field('adminNotes')}
        label={t('edit.notes')}
        help={t('edit.notesHelp')}
        maxLength={fieldLimits.notes}
        rows={3}
        optional
      />
      <Box sx={twoColumnsSx}>
        <FormField {...form.field('estimatedHours')} label={t('edit.hours')} inputMode="numeric" optional />
        <FormField
          {...form.field('targetVersion')}
          label={t('edit.version')}
          maxLength={fieldLimits.version}
          autoComplete="off"
          optional
        />
      </Box>
      <FormField
        {...form.field('title')}
        label={t('form.name')}
        maxLength={fieldLimits.title.most}
        autoComplete="off"
      />
      <FormField
        {...form.field('description')}
        label={t('form.description')}
        maxLength={fieldLimits.description.most}
        rows={4}
      />
    </DialogForm>
  );
}
