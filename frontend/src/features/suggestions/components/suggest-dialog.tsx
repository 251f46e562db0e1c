import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { $api } from '../../../shared/api/client';
import { invalidate } from '../../../shared/api/invalidate';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { DialogForm, FormDialog } from '../../../shared/forms/form-dialog';
import { useForm } from '../../../shared/forms/use-form';
import { toast } from '../../../shared/toast/toast-store';
import { ChoiceField } from '../../../shared/ui/fields/choice-field';
import { FormField } from '../../../shared/ui/fields/form-field';
import { fieldLimits, categories, type Category, type Suggestion } from '../suggestion';
import { useSuggestionValidation } from '../use-suggestion-validation';
import { SimilarSuggestions } from './similar-suggestions';

interface Props {
  open: boolean;
  /** The user's suggestion to edit; undefined for a new one. */
  ownSuggestion?: Suggestion;
  onClose: () => void;
}

/** Form to submit a suggestion, or to edit the text of one's own. */
export function SuggestDialog({ open, ownSuggestion, onClose }: Props) {
  return (
    <FormDialog open={open} onClose={onClose}>
      <SuggestForm ownSuggestion={ownSuggestion} onClose={onClose} />
    </FormDialog>
  );
}

function useSuggestForm({ ownSuggestion, onClose }: Omit<Props, 'open'>) {
  const { t } = useTranslation('suggestions');
  const errorText = useErrorText();
  const queryClient = useQueryClient();
  const create = $api.useMutation('post', '/api/feature-suggestions');
  const updateText = $api.useMutation('patch', '/api/feature-suggestions/{id}/words');
  const validateText = useSuggestionValidation();
  return useForm({
    draft: {
      key: ownSuggestion ? `suggestion.${ownSuggestion.id}` : 'suggestion.new',
      fields: ['title', 'description', 'category'],
      replacesSaved: ownSuggestion !== undefined,
    },
    initial: {
      title: ownSuggestion?.title ?? '',
      description: ownSuggestion?.description ?? '',
      category: ownSuggestion?.category ?? ('feature' as Category),
    },
    validate: validateText,
    submit: async ({ title, description, category }) => {
      const body = { title: title.trim(), description: description.trim(), category };
      if (ownSuggestion) await updateText.mutateAsync({ params: { path: { id: ownSuggestion.id } }, body });
      else await create.mutateAsync({ body });
      void invalidate(queryClient, 'POST /api/feature-suggestions');
      if (ownSuggestion) toast.success(t('own.saved'));
      else toast.success(t('form.created'), t('form.createdText'));
      onClose();
    },
    onFailure: (error) => toast.error(t(ownSuggestion ? 'own.failed' : 'form.failed'), errorText(error)),
  });
}

function SuggestForm({ ownSuggestion, onClose }: Omit<Props, 'open'>) {
  const { t } = useTranslation('suggestions');
  const form = useSuggestForm({ ownSuggestion, onClose });
  const category = form.field('category');
  return (
    <DialogForm
      title={t(ownSuggestion ? 'own.title' : 'form.title')}
      form={form}
      submitLabel={t(ownSuggestion ? 'own.save' : 'form.send')}
    >
      <FormField
        {...form.field('title')}
        label={t('form.name')}
        help={t('form.nameHelp', { ...fieldLimits.title })}
        maxLength={fieldLimits.title.most}
        autoComplete="off"
        autoFocus
      />
      {!ownSuggestion && <SimilarSuggestions title={form.field('title').value} />}
      <FormField
        {...form.field('description')}
        label={t('form.description')}
        help={t('form.descriptionHelp', { ...fieldLimits.description })}
        maxLength={fieldLimits.description.most}
        rows={5}
      />
      <ChoiceField
        {...category}
        label={t('form.category')}
        options={categories.map((value) => ({ value, label: t(`category.${value}`) }))}
        onChange={(value) => form.set('category', value)}
      />
    </DialogForm>
  );
}
