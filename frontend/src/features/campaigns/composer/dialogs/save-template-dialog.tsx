import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../../shared/hooks/use-error-text';
import { DialogForm, FormDialog } from '../../../../shared/forms/form-dialog';
import { useForm } from '../../../../shared/forms/use-form';
import { toast } from '../../../../shared/toast/toast-store';
import { FormField } from '../../../../shared/ui/fields/form-field';
import { useSaveTemplate } from '../../api/use-templates';
import type { Wording } from '../wording';

interface Props {
  open: boolean;
  wording: Wording;
  onClose: () => void;
}

/** Keeps subject and content for other campaigns. */
export function SaveTemplateDialog({ open, wording, onClose }: Props) {
  return (
    <FormDialog open={open} onClose={onClose} maxWidth="xs">
      <SaveForm wording={wording} onClose={onClose} />
    </FormDialog>
  );
}

function SaveForm({ wording, onClose }: { wording: Wording; onClose: () => void }) {
  const { t } = useTranslation('campaigns');
  const errorText = useErrorText();
  const save = useSaveTemplate();
  const { subject, htmlContent } = wording;
  const form = useForm({
    keep: { as: 'template.new', fields: ['name'] },
    initial: { name: wording.name },
    validate: ({ name }) => ({ name: name.trim() ? undefined : t('templates.nameRequired') }),
    submit: async ({ name }) => {
      await save.mutateAsync({ name: name.trim(), subject: subject.trim(), htmlContent });
      toast.success(t('templates.saved'));
      onClose();
    },
    onFailure: (error) => toast.error(t('templates.saveFailed'), errorText(error)),
  });
  return (
    <DialogForm title={t('templates.saveTitle')} form={form} submit={t('templates.saveTitle')}>
      <FormField {...form.field('name')} label={t('templates.name')} maxLength={255} autoComplete="off" autoFocus />
    </DialogForm>
  );
}
