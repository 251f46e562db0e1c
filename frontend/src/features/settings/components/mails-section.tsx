import { useTranslation } from 'react-i18next';
import { useSaveProfile } from '../../../shared/account/use-save-profile';
import type { CurrentUser } from '../../../shared/api/current-user';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useUnsaved } from '../../../shared/forms/unsaved';
import { useForm } from '../../../shared/forms/use-form';
import { toast } from '../../../shared/toast/toast-store';
import { FormField } from '../../../shared/ui/fields/form-field';
import { SaveButton } from './save-button';
import { Section, SectionBody, SectionFoot } from './section';

const limit = 500;

/** The postal address that stands under mails to members. */
export function MailsSection({ user }: { user: CurrentUser }) {
  const { t } = useTranslation('settings');
  const errorText = useErrorText();
  const save = useSaveProfile();
  const own = user.postalAddress ?? '';
  const form = useForm({
    initial: { postalAddress: own },
    validate: ({ postalAddress }) => (postalAddress.length > limit ? { postalAddress: t('mails.long') } : {}),
    submit: async ({ postalAddress }) => {
      const saved = await save.mutateAsync({ postalAddress: postalAddress.trim() || null });
      toast.success(t('mails.saved'));
      return { postalAddress: saved.postalAddress ?? '' };
    },
    onFailure: (error) => toast.error(t('profile.failed'), errorText(error)),
  });
  useUnsaved(form.isUnsaved);
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
        <SectionFoot>
          <SaveButton changed={form.values.postalAddress !== own} sending={form.sending}>
            {t('save')}
          </SaveButton>
        </SectionFoot>
      </form>
    </Section>
  );
}
