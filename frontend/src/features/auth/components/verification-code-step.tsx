import Button from '@mui/material/Button';
import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hasCode } from '../../../shared/api/api-error';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useForm } from '../../../shared/forms/use-form';
import { toast } from '../../../shared/toast/toast-store';
import { FormField } from '../../../shared/ui/fields/form-field';
import { EmailsNotSentNotice } from '../../../shared/site/emails-not-sent-notice';
import { SubmitButton } from '../../../shared/ui/submit-button';

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
    <Stack component="form" spacing={4} {...form.formProps}>
      <EmailsNotSentNotice />
      <FormField
        {...field}
        label={t('fields.code')}
        help={t('help.code', { email })}
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        onChange={(event) => form.set('verificationCode', event.target.value.replace(/\s/g, '').slice(0, CODE_LENGTH))}
      />
      <SubmitButton isSubmitting={form.isSubmitting} fullWidth>
        {t('register.submit')}
      </SubmitButton>
      <Box sx={{ display: 'flex', flexWrap: 'wrap', justifyContent: 'space-between', gap: 1 }}>
        <Button variant="text" onClick={onBack}>
          {t('register.back')}
        </Button>
        <Button variant="text" loading={resending} onClick={() => void resend()}>
          {t('register.resend')}
        </Button>
      </Box>
    </Stack>
  );
}
