import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../../shared/hooks/use-error-text';
import { DialogForm, FormDialog } from '../../../../shared/forms/form-dialog';
import { useForm } from '../../../../shared/forms/use-form';
import { toast } from '../../../../shared/toast/toast-store';
import { FormField } from '../../../../shared/ui/fields/form-field';
import { useSaveTemplate } from '../../api/use-templates';
import type { DraftContent } from '../draft-content';

interface Props {
  open: boolean;
  content: DraftContent;
  onClose: () => void;
}

/** Saves subject and content as a template for other campaigns. */
export function SaveTemplateDialog({ open, content, onClose }: Props) {
  return (
    <FormDialog open={open} onClose={onClose} maxWidth="xs">
      <SaveTemplateForm content={content} onClose={onClose} />
    </FormDialog>
  );
}

function SaveTemplateForm({ content, onClose }: { content: DraftContent; onClose: () => void }) {
  const { t } = useTranslation('campaigns');
  const errorText = useErrorText();
  const save = useSaveTemplate();
  const { subject, htmlContent } = content;
  const form = useForm({
    draft: { key: 'template.new', fields: ['name'] },
    initial: { name: content.name },
    validate: ({ name }) => ({ name: name.trim() ? undefined : t('templates.nameRequired') }),
    submit: async ({ name }) => {
      await save.mutateAsync({ name: name.trim(), subject: subject.trim(), htmlContent });
      toast.success(t('templates.saved'));
      onClose();
    },
    onFailure: (error) => toast.error(t('templates.saveFailed'), errorText(error)),
  });
  return (
    <DialogForm title={t('templates.saveTitle')} form={form} submitLabel={t('templates.saveTitle')}>
      <FormField {...form.field('name')} label={t('templates.name')} maxLength={255} autoComplete="off" autoFocus />
    </DialogForm>
  );
}
