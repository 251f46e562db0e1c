import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hasCode } from '../../../shared/api/api-error';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useForm } from '../../../shared/forms/use-form';
import { PublicButton, PublicSubmitButton } from '../../../shared/public-ui/public-button';
import { PublicField } from '../../../shared/public-ui/public-field';
import { toast } from '../../../shared/toast/toast-store';
import { EmailsNotSentNotice } from '../../../shared/site/emails-not-sent-notice';

const CODE_LENGTH = 6;

interface Props {
  email: string;
  onCode: (code: string) => Promise<void>;
  onResend: () => Promise<void>;
  onBack: () => void;
}

/** The second step of registration: the six digits from the email. */
export function VerificationCodeStep({ email, onCode, onResend, onBack }: Props) {
  const { t } = useTranslation('auth');
  const errorText = useErrorText();
  const [resending, setResending] = useState(false);
  const form = useForm({
    initial: { verificationCode: '' },
    ignoreRepeatedSubmit: true,
    validate: ({ verificationCode: code }) => {
      if (!code) toast.error(t('register.codeRequired'), t('register.codeRequiredText'));
      if (!code) return { verificationCode: t('register.codeRequiredText') };
      return /^\d{6}$/.test(code) ? {} : { verificationCode: t('errors.codeDigits') };
    },
    submit: ({ verificationCode }) => onCode(verificationCode),
    onFailure: (error) => {
      const isCodeInvalid = hasCode(error, 'CODE_INVALID');
      // An invalid code is explained only at its field.
      toast.error(t('register.failed'), isCodeInvalid ? undefined : errorText(error));
      if (isCodeInvalid) form.showErrors({ verificationCode: error.message });
    },
  });
  const field = form.field('verificationCode');
  const resend = async () => {
    setResending(true);
    await onResend().catch((error: unknown) => toast.error(t('register.sendFailed'), errorText(error)));
    setResending(false);
  };
  return (
    <form className="z-form" {...form.formProps}>
      <EmailsNotSentNotice />
      <PublicField
        {...field}
        label={t('fields.code')}
        help={t('help.code', { email })}
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        onChange={(event) => form.set('verificationCode', event.target.value.replace(/\s/g, '').slice(0, CODE_LENGTH))}
      />
      <PublicSubmitButton isSubmitting={form.isSubmitting}>{t('register.submit')}</PublicSubmitButton>
      <div className="z-auth-buttons">
        <button type="button" className="z-button z-button-quiet" onClick={onBack}>
          {t('register.back')}
        </button>
        <PublicButton className="z-button-quiet" isPending={resending} onClick={() => void resend()}>
          {t('register.resend')}
        </PublicButton>
      </div>
    </form>
  );
}
