import MailOutlineRounded from '@mui/icons-material/MailOutlineRounded';
import Alert from '@mui/material/Alert';
import AlertTitle from '@mui/material/AlertTitle';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useTranslation } from 'react-i18next';
import { hasCode } from '../../../shared/api/api-error';
import { api } from '../../../shared/api/client';
import type { SignedInUser } from '../../../shared/api/current-user';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useForm } from '../../../shared/forms/use-form';
import { toast } from '../../../shared/toast/toast-store';
import { FormField } from '../../../shared/ui/fields/form-field';
import { PasswordField } from '../../../shared/ui/fields/password-field';
import { StandaloneLink } from '../../../shared/ui/standalone-link';
import { SubmitButton } from '../../../shared/ui/submit-button';
import { validateSignInPassword } from '../validation';
import type { Factor } from './second-factor-step';

interface Props {
  email: string;
  /** The user signs in with the temporary password from an email. */
  isTemporaryPassword?: boolean;
  /** Focuses the password field, because the address is known. */
  autoFocusPassword?: boolean;
  onSignedIn: (user: SignedInUser) => Promise<void>;
  /** Called if the password is correct and a second factor is required. */
  onFactorRequired: (factors: readonly Factor[]) => void;
  /** Called when the user prefers a sign-in email, with the address typed so far. */
  onUseEmail?: (email: string) => void;
}

/** Sign-in with email address and password. */
export function SignInForm({ email, isTemporaryPassword = false, autoFocusPassword = false, ...rest }: Props) {
  const { onSignedIn, onFactorRequired, onUseEmail } = rest;
  const { t } = useTranslation('auth');
  const errorText = useErrorText();
  const form = useForm({
    initial: { email, password: '' },
    validate: (values) => {
      const passwordError = validateSignInPassword(values.password);
      return {
        email: values.email.trim() ? undefined : t('errors.emailRequired'),
        password: passwordError && t(passwordError),
      };
    },
    submit: async ({ email: enteredEmail, password }) => {
      const { data } = await api.POST('/api/login', { body: { email: enteredEmail.trim(), password } });
      if (!data) return;
      if ('requiresFactor' in data) onFactorRequired(data.factors);
      else await onSignedIn(data);
    },
    onFailure: (error) => {
      // The toast disappears; the error at the field stays until it is changed.
      if (hasCode(error, 'INVALID_CREDENTIALS')) form.showErrors({ password: error.message });
      toast.error(t('login.failed'), errorText(error));
    },
  });
  return (
    <Stack component="form" spacing={4} {...form.formProps}>
      {isTemporaryPassword && (
        <Alert severity="info">
          <AlertTitle>{t('login.activation')}</AlertTitle>
          {t('login.activationText')}
        </Alert>
      )}
      <FormField {...form.field('email')} label={t('fields.email')} type="email" autoComplete="username webauthn" />
      <PasswordField
        {...form.field('password')}
        label={t('fields.password')}
        autoComplete="current-password"
        autoFocus={autoFocusPassword}
      />
      <Box sx={{ textAlign: 'right', lineHeight: 1 }}>
        <StandaloneLink to="/forgot-password" state={{ email: form.values.email }} variant="body2">
          {t('login.forgot')}
        </StandaloneLink>
      </Box>
      <SubmitButton isSubmitting={form.isSubmitting} fullWidth>
        {t('login.submit')}
      </SubmitButton>
      {onUseEmail && (
        <Button fullWidth startIcon={<MailOutlineRounded />} onClick={() => onUseEmail(form.values.email.trim())}>
          {t('byMail.offer')}
        </Button>
      )}
    </Stack>
  );
}
