import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../shared/hooks/use-error-text';
import { useForm } from '../../shared/forms/use-form';
import { toast } from '../../shared/toast/toast-store';
import { useUpdateLink, useCreateLink, type LinkItem } from './api/use-links';
import {
  initialFieldsOf,
  isOptionalCount,
  parseOptionalCount,
  persistedFields,
  toCountField,
  toLinkChanges,
  toNewLink,
  useFieldsValidation,
} from './link-fields';

/**
 * Form of a temporary link, new or edited.
 * @param onDone called with the token of a new link
 */
export function useLinkForm(zoneId: number, link: LinkItem | undefined, onDone: (token?: string) => void) {
  const { t } = useTranslation('links');
  const errorText = useErrorText();
  const create = useCreateLink(zoneId);
  const updateLink = useUpdateLink();
  const validateFields = useFieldsValidation();
  return useForm({
    initial: { ...initialFieldsOf(link), membershipDays: toCountField(link?.membershipDays) },
    draft: {
      key: link ? `link.${link.id}` : `zone.${zoneId}.new-link`,
      fields: [...persistedFields, 'membershipDays'],
      replacesSaved: link !== undefined,
    },
    validate: (values) => ({
      ...validateFields(values),
      membershipDays: isOptionalCount(values.membershipDays) ? undefined : t('form.badUses'),
    }),
    submit: async (values) => {
      const membershipDays = parseOptionalCount(values.membershipDays);
      if (link) {
        const changedDays = membershipDays !== link.membershipDays && { membershipDays };
        await updateLink.mutateAsync({ id: link.id, ...toLinkChanges(values, link), ...changedDays });
        toast.success(t('saved'));
        return onDone();
      }
      const { token } = await create.mutateAsync({ ...toNewLink(values), membershipDays });
      toast.success(t('created'));
      onDone(token);
    },
    onFailure: (error) => toast.error(t(link ? 'changeFailed' : 'createFailed'), errorText(error)),
  });
}
