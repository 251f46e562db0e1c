import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { $api } from '../../../shared/api/client';
import { touch } from '../../../shared/api/touch';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { DialogForm, FormDialog } from '../../../shared/forms/form-dialog';
import { useForm } from '../../../shared/forms/use-form';
import { toast } from '../../../shared/toast/toast-store';
import { ChoiceField } from '../../../shared/ui/fields/choice-field';
import { FormField } from '../../../shared/ui/fields/form-field';
import { bounds, categories, type Category, type Suggestion } from '../suggestion';
import { useWordRules } from '../use-word-rules';
import { SimilarSuggestions } from './similar-suggestions';

interface Props {
  open: boolean;
  /** The person's own, whose words are changed; left out for a new one. */
  own?: Suggestion;
  onClose: () => void;
}

/** The form by which people suggest something, or change the words of what they suggested. */
export function SuggestDialog({ open, own, onClose }: Props) {
  return (
    <FormDialog open={open} onClose={onClose}>
      <SuggestForm own={own} onClose={onClose} />
    </FormDialog>
  );
}

function useSuggestForm({ own, onClose }: Omit<Props, 'open'>) {
  const { t } = useTranslation('suggestions');
  const errorText = useErrorText();
  const queries = useQueryClient();
  const create = $api.useMutation('post', '/api/feature-suggestions');
  const reword = $api.useMutation('patch', '/api/feature-suggestions/{id}/words');
  const rules = useWordRules();
  return useForm({
    keep: {
      as: own ? `suggestion.${own.id}` : 'suggestion.new',
      fields: ['title', 'description', 'category'],
      overSaved: own !== undefined,
    },
    initial: {
      ...{ title: own?.title ?? '', description: own?.description ?? '' },
      category: own?.category ?? ('feature' as Category),
    },
    validate: rules,
    submit: async ({ title, description, category }) => {
      const body = { title: title.trim(), description: description.trim(), category };
      if (own) await reword.mutateAsync({ params: { path: { id: own.id } }, body });
      else await create.mutateAsync({ body });
      void touch(queries, 'POST /api/feature-suggestions');
      if (own) toast.success(t('own.saved'));
      else toast.success(t('form.created'), t('form.createdText'));
      onClose();
    },
    onFailure: (error) => toast.error(t(own ? 'own.failed' : 'form.failed'), errorText(error)),
  });
}

function SuggestForm({ own, onClose }: Omit<Props, 'open'>) {
  const { t } = useTranslation('suggestions');
  const form = useSuggestForm({ own, onClose });
  const category = form.field('category');
  return (
    <DialogForm title={t(own ? 'own.title' : 'form.title')} form={form} submit={t(own ? 'own.save' : 'form.send')}>
      <FormField
        {...form.field('title')}
        label={t('form.name')}
        help={t('form.nameHelp', { ...bounds.title })}
        maxLength={bounds.title.most}
        autoComplete="off"
        autoFocus
      />
      {!own && <SimilarSuggestions title={form.field('title').value} />}
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
    </DialogForm>
  );
}
