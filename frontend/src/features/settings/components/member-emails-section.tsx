import { useTranslation } from 'react-i18next';
import { useSaveProfile } from '../../../shared/account/use-save-profile';
import type { CurrentUser } from '../../../shared/api/current-user';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useUnsavedChanges } from '../../../shared/forms/unsaved-changes';
import { useForm } from '../../../shared/forms/use-form';
import { toast } from '../../../shared/toast/toast-store';
import { FormField } from '../../../shared/ui/fields/form-field';
import { SaveButton } from './save-button';
import { Section, SectionBody, SectionFooter } from './section';

const MAX_ADDRESS_LENGTH = 500;

/** The postal address in the footer of emails to members. */
export function MemberEmailsSection({ user }: { user: CurrentUser }) {
  const { t } = useTranslation('settings');
  const errorText = useErrorText();
  const saveProfile = useSaveProfile();
  const savedAddress = user.postalAddress ?? '';
  const form = useForm({
    initial: { postalAddress: savedAddress },
    validate: ({ postalAddress }) =>
      postalAddress.length > MAX_ADDRESS_LENGTH ? { postalAddress: t('mails.long') } : {},
    submit: async ({ postalAddress }) => {
      const saved = await saveProfile.mutateAsync({ postalAddress: postalAddress.trim() || null });
      toast.success(t('mails.saved'));
      return { postalAddress: saved.postalAddress ?? '' };
    },
    onFailure: (error) => toast.error(t('profile.failed'), errorText(error)),
  });
  useUnsavedChanges(form.hasUnsavedChanges);
  return (
    <Section id="mails" title={t('mails.title')} text={t('mails.text')}>
      <form {...form.formProps}>
        <SectionBody>
          <FormField
            {...form.field('postalAddress')}
            label={t('mails.address')}
            help={t('mails.addressHelp')}
            autoComplete="off"
            rows={3}
          />
        </SectionBody>
        <SectionFooter>
          <SaveButton hasChanges={form.values.postalAddress !== savedAddress} isSubmitting={form.isSubmitting}>
            {t('save')}
          </SaveButton>
        </SectionFooter>
      </form>
    </Section>
  );
}
