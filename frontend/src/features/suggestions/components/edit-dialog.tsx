import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { $api } from '../../../shared/api/client';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { DialogForm, FormDialog } from '../../../shared/forms/form-dialog';
import { useForm } from '../../../shared/forms/use-form';
import { toast } from '../../../shared/toast/toast-store';
import { ChoiceField } from '../../../shared/ui/fields/choice-field';
import { FormField } from '../../../shared/ui/fields/form-field';
import { bounds, priorities, statuses, type Suggestion } from '../suggestion';
import { useWordRules } from '../use-word-rules';

interface Props {
  suggestion: Suggestion;
  onClose: () => void;
  /** Told once the change is stored. */
  onSaved: () => void;
}

/** By which administrators answer a suggestion. Its submitter is told of a new status by mail. */
export function EditDialog(props: Props) {
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
  const rules = useWordRules();
  const { id, title, description, status, priority, adminNotes, estimatedHours, targetVersion } = suggestion;
  return useForm({
    keep: { as: `suggestion.${id}.answer`, fields: edited, overSaved: true },
    initial: {
      ...{ title, description, status, priority },
      adminNotes: adminNotes ?? '',
      estimatedHours: estimatedHours === null ? '' : String(estimatedHours),
      targetVersion: targetVersion ?? '',
    },
    validate: (values) => ({
      ...rules(values),
      estimatedHours: isHours(values.estimatedHours) ? undefined : t('edit.hoursRange', { ...bounds.hours }),
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

const edited = ['title', 'description', 'status', 'priority', 'adminNotes', 'estimatedHours', 'targetVersion'] as const;

const isHours = (text: string) =>
  text.trim() === '' ||
  (/^\d{1,3}$/.test(text.trim()) && Number(text) >= bounds.hours.least && Number(text) <= bounds.hours.most);

function EditForm(props: Props) {
  const { t } = useTranslation('suggestions');
  const form = useEditForm(props);
  const two = { display: 'grid', gap: 4, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } };
  return (
    <DialogForm title={t('edit.title')} form={form} submit={t('edit.save')}>
      <Box sx={two}>
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
        maxLength={bounds.notes}
        rows={3}
        optional
      />
      <Box sx={two}>
        <FormField {...form.field('estimatedHours')} label={t('edit.hours')} inputMode="numeric" optional />
        <FormField
          {...form.field('targetVersion')}
          label={t('edit.version')}
          maxLength={bounds.version}
          autoComplete="off"
          optional
        />
      </Box>
      <FormField {...form.field('title')} label={t('form.name')} maxLength={bounds.title.most} autoComplete="off" />
      <FormField
        {...form.field('description')}
        label={t('form.description')}
        maxLength={bounds.description.most}
        rows={4}
      />
    </DialogForm>
  );
}
