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
import { EmailsNotSent } from '../../../shared/site/emails-not-sent';
import { SubmitButton } from '../../../shared/ui/submit-button';

const codeLength = 6;

interface Props {
  email: string;
  onCode: (code: string) => Promise<void>;
  onResend: () => Promise<void>;
  onBack: () => void;
}

/** The second step of registration: the six digits from the mail. */
export function CodeStep({ email, onCode, onResend, onBack }: Props) {
  const { t } = useTranslation('auth');
  const errorText = useErrorText();
  const [resending, setResending] = useState(false);
  const form = useForm({
    initial: { verificationCode: '' },
    sendsOnce: true,
    validate: ({ verificationCode: code }) => {
      if (!code) toast.error(t('register.codeRequired'), t('register.codeRequiredText'));
      if (!code) return { verificationCode: t('register.codeRequiredText') };
      return /^\d{6}$/.test(code) ? {} : { verificationCode: t('errors.codeDigits') };
    },
    submit: ({ verificationCode }) => onCode(verificationCode),
    onFailure: (error) => {
      const wrongCode = hasCode(error, 'CODE_INVALID');
      // What is wrong with the code is said at its field, once.
      toast.error(t('register.failed'), wrongCode ? undefined : errorText(error));
      if (wrongCode) form.fail({ verificationCode: error.message });
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
      <EmailsNotSent />
      <FormField
        {...field}
        label={t('fields.code')}
        help={t('help.code', { email })}
        inputMode="numeric"
        autoComplete="one-time-code"
        autoFocus
        onChange={(event) => form.set('verificationCode', event.target.value.replace(/\s/g, '').slice(0, codeLength))}
      />
      <SubmitButton sending={form.sending} fullWidth>
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
