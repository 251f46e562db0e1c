import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useForm } from '../../../shared/hooks/use-form';
import { PlainCheck } from '../../../shared/plain/plain-check';
import { PlainField } from '../../../shared/plain/plain-field';
import { refusalOf } from '../join-outcome';
import type { PublicZone } from './zone-preview';

interface Props {
  zone: PublicZone;
  ownEmail: string | null;
  onJoin: (email: string, emailConsent: boolean) => Promise<void>;
  onAlreadyMember: () => void;
}

interface Notice {
  title: string;
  text: string;
}

/** Address, consent, one button. */
export function JoinForm({ zone, ownEmail, onJoin, onAlreadyMember }: Props) {
  const { t } = useTranslation('join');
  const errorText = useErrorText();
  const [notice, setNotice] = useState<Notice | null>(null);
  const form = useForm({
    initial: { email: ownEmail ?? '', emailConsent: false as boolean },
    validate: ({ email, emailConsent }) => ({
      email: checkEmail(email.trim(), t('emailRequired'), t('emailInvalid')),
      emailConsent: zone.requiresEmailOptin && !emailConsent ? t('consentRequired') : undefined,
    }),
    submit: async ({ email, emailConsent }) => {
      setNotice(null);
      await onJoin(email.trim(), emailConsent);
    },
    onFailure: (error) => {
      const refusal = refusalOf(error);
      const text = errorText(error);
      if (refusal === 'alreadyMember') onAlreadyMember();
      else if (refusal === 'consent') form.fail({ emailConsent: text });
      else if (refusal === 'full' || refusal === 'tooMany') setNotice({ title: t(`${refusal}.title`), text });
      else if (refusal === 'notFound') setNotice({ title: t('notFound.title'), text: t('notFound.text') });
      else setNotice({ title: t('failed'), text });
    },
  });
  const own = ownEmail !== null && form.values.email.trim().toLowerCase() === ownEmail.toLowerCase();
  const submitText = form.sending ? t('sending') : t(zone.autoJoin ? 'submit' : 'ask');
  return (
    <form className="z-form" {...form.formProps}>
      <PlainField
        {...form.field('email')}
        label={t('email')}
        help={own ? t('emailOwn') : t('emailHelp')}
        type="email"
        inputMode="email"
        autoComplete="email"
      />
      <PlainCheck
        id={form.field('emailConsent').id}
        checked={form.values.emailConsent}
        error={form.errors.emailConsent}
        onChange={(checked) => form.set('emailConsent', checked)}
      >
        {zone.consentText}
      </PlainCheck>
      {notice && (
        <div className="z-notice z-notice-danger" role="alert">
          <strong>{notice.title}</strong>
          <br />
          {notice.text}
        </div>
      )}
      <button type="submit" className="z-button z-button-main z-button-large" aria-disabled={form.sending}>
        {submitText}
      </button>
    </form>
  );
}

function checkEmail(email: string, required: string, invalid: string): string | undefined {
  if (!email) return required;
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) ? undefined : invalid;
}
