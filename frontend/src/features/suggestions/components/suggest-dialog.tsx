import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Stack from '@mui/material/Stack';
import { useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { $api } from '../../../shared/api/client';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useForm } from '../../../shared/hooks/use-form';
import { toast } from '../../../shared/toast/toast-store';
import { ChoiceField } from '../../../shared/ui/choice-field';
import { FormField } from '../../../shared/ui/form-field';
import { SubmitButton } from '../../../shared/ui/submit-button';
import { bounds, categories, suggestionsKey, type Category } from '../suggestion';
import { useWordRules } from '../use-word-rules';

interface Props {
  open: boolean;
  onClose: () => void;
}

/** The form by which people suggest something. */
export function SuggestDialog({ open, onClose }: Props) {
  const { t } = useTranslation('suggestions');
  const titleId = useId();
  return (
    <Dialog open={open} onClose={onClose} maxWidth="sm" fullWidth aria-labelledby={titleId}>
      <DialogTitle id={titleId}>{t('form.title')}</DialogTitle>
      {open && <SuggestForm onClose={onClose} />}
    </Dialog>
  );
}

function SuggestForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('suggestions');
  const { t: common } = useTranslation();
  const errorText = useErrorText();
  const queries = useQueryClient();
  const create = $api.useMutation('post', '/api/feature-suggestions');
  const rules = useWordRules();
  const form = useForm({
    initial: { title: '', description: '', category: 'feature' as Category },
    validate: rules,
    submit: async ({ title, description, category }) => {
      await create.mutateAsync({ body: { title: title.trim(), description: description.trim(), category } });
      void queries.invalidateQueries({ queryKey: suggestionsKey });
      toast.success(t('form.created'), t('form.createdText'));
      onClose();
    },
    onFailure: (error) => toast.error(t('form.failed'), errorText(error)),
  });
  const category = form.field('category');
  return (
    <form {...form.formProps}>
      <DialogContent>
        <Stack spacing={5}>
          <FormField
            {...form.field('title')}
            label={t('form.name')}
            help={t('form.nameHelp', { ...bounds.title })}
            maxLength={bounds.title.most}
            autoComplete="off"
            autoFocus
          />
          <FormField
            {...form.field('description')}
            label={t('form.description')}
            help={t('form.descriptionHelp', { ...bounds.description })}
            maxLength={bounds.description.most}
            rows={5}
          />
          <ChoiceField
            {...category}
            label={t('form.category')}
            options={categories.map((value) => ({ value, label: t(`category.${value}`) }))}
            onChange={(value) => form.set('category', value)}
          />
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose}>{common('actions.cancel')}</Button>
        <SubmitButton sending={form.sending}>{t('form.send')}</SubmitButton>
      </DialogActions>
    </form>
  );
}
