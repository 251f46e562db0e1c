import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import { useTranslation } from 'react-i18next';
import { NewPasswordField } from '../../../shared/account/new-password-field';
import { toPasswordOwner } from '../../../shared/account/strength/password-owner';
import { useUsernameCheck } from '../../../shared/account/use-username-check';
import { UsernameField } from '../../../shared/account/username-field';
import { hasCode } from '../../../shared/api/api-error';
import { api } from '../../../shared/api/client';
import { useForm } from '../../../shared/forms/use-form';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { toast } from '../../../shared/toast/toast-store';
import { FormField } from '../../../shared/ui/fields/form-field';
import { PasswordField } from '../../../shared/ui/fields/password-field';
import { SubmitButton } from '../../../shared/ui/submit-button';
import { suggestUsername } from './suggest-username';
import { SetupCard } from './setup-card';

export interface StepProps {
  setupKey: string;
  stepNumber: number;
  stepCount: number;
  onDone: () => Promise<void>;
  /** Called when the setup key is no longer valid. */
  onClosed: () => void;
}

const usernamePattern = /^[a-z0-9_]{3,30}$/i;

/** Creates the account that manages the installation. Field errors come from the server. */
export function AccountStep({ setupKey, stepNumber, stepCount, onDone, onClosed }: StepProps) {
  const { t } = useTranslation('setup');
  const errorText = useErrorText();
  const form = useForm({
    initial: { firstName: '', lastName: '', email: '', username: '', password: '' },
    submit: async (values) => {
      await api.POST('/api/setup', { body: { ...values, key: setupKey } });
      // If more steps follow, the next step makes the success clear.
      if (stepCount === 1) toast.success(t('account.done'), t('account.doneText'));
      await onDone();
    },
    onFailure: (error) => {
      if (hasCode(error, 'SETUP_CLOSED')) onClosed();
      else if (hasCode(error, 'EMAIL_TAKEN')) form.showErrors({ email: t('account.taken') });
      else if (hasCode(error, 'USERNAME_TAKEN', 'USERNAME_RESERVED')) form.showErrors({ username: error.message });
      else toast.error(t('account.failed'), errorText(error));
    },
  });
  const { username } = form.values;
  const usernameCheck = useUsernameCheck(username, usernamePattern.test(username));
  const fieldWithSuggestion = (name: 'firstName' | 'lastName' | 'email') => {
    const field = form.field(name);
    const onChange: typeof field.onChange = (event) => {
      field.onChange(event);
      const suggestion = suggestUsername({ ...form.values, [name]: event.target.value });
      // Keeps a username that the user has typed.
      if (username === suggestUsername(form.values)) form.set('username', suggestion);
    };
    return { ...field, onChange };
  };
  return (
    <SetupCard title={t('account.title')} text={t('account.text')} stepNumber={stepNumber} stepCount={stepCount}>
      <Stack component="form" spacing={4} {...form.formProps}>
        <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: { xs: '1fr', sm: '1fr 1fr' } }}>
          <FormField
            {...fieldWithSuggestion('firstName')}
            label={t('account.firstName')}
            autoComplete="given-name"
            maxLength={50}
          />
          <FormField
            {...fieldWithSuggestion('lastName')}
            label={t('account.lastName')}
            autoComplete="family-name"
            maxLength={50}
          />
        </Box>
        <FormField
          {...fieldWithSuggestion('email')}
          label={t('account.email')}
          help={t('account.emailHelp')}
          type="email"
          autoComplete="email"
          maxLength={255}
        />
        <UsernameField
          {...form.field('username')}
          Field={FormField}
          usernameCheck={usernameCheck}
          help={t('account.usernameHelp')}
        />
        <NewPasswordField
          {...form.field('password')}
          Field={PasswordField}
          label={t('account.password')}
          owner={toPasswordOwner(form.values)}
        />
        <SubmitButton isSubmitting={form.isSubmitting} fullWidth>
          {t('account.submit')}
        </SubmitButton>
      </Stack>
    </SetupCard>
  );
}
