import { DialogForm, FormDialog } from '../../../shared/forms/form-dialog';
import { useTranslation } from 'react-i18next';
import { FormField } from '../../../shared/ui/fields/form-field';
import type { LinkItem } from '../api/use-links';
import { useLinkForm } from '../use-link-form';
import { LinkFormFields } from './link-form-fields';

interface Props {
  zoneId: number;
  open: boolean;
  /** The link to edit; undefined for a new one. */
  link: LinkItem | undefined;
  onClose: () => void;
  /** Called with the token of the new link, which is part of its URL. */
  onCreated: (token: string) => void;
}

/** Edits name, expiry and limits of a temporary link. */
export function LinkDialog({ open, ...rest }: Props) {
  return (
    <FormDialog open={open} onClose={rest.onClose}>
      <LinkForm {...rest} />
    </FormDialog>
  );
}

function LinkForm({ zoneId, link, onClose, onCreated }: Omit<Props, 'open'>) {
  const { t } = useTranslation('links');
  const form = useLinkForm(zoneId, link, (token) => (token === undefined ? onClose() : onCreated(token)));
  return (
    <DialogForm
      title={t(link ? 'form.editTitle' : 'form.createTitle')}
      form={form}
      submitLabel={t(link ? 'form.save' : 'form.submit')}
    >
      <LinkFormFields form={form} link={link} maxUsesHelp={t('form.maxUsesHelp')} passwordHelp={t('form.passwordHelp')}>
        <FormField
          {...form.field('membershipDays')}
          label={t('form.membershipDays')}
          help={t('form.membershipDaysHelp')}
          inputMode="numeric"
          autoComplete="off"
          optional
        />
      </LinkFormFields>
    </DialogForm>
  );
}
