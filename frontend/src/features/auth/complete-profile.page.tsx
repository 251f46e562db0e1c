import Stack from '@mui/material/Stack';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Navigate, useSearchParams } from 'react-router';
import { api } from '../../shared/api/client';
import { useCurrentUser, type CurrentUser } from '../../shared/api/current-user';
import { adoptUser } from '../../shared/api/sign-in';
import { internalPath } from '../../shared/format/internal-path';
import { useErrorText } from '../../shared/hooks/use-error-text';
import { useForm } from '../../shared/hooks/use-form';
import { PlainError } from '../../shared/plain/plain-error';
import { PublicFrame } from '../../shared/plain/public-frame';
import { toast } from '../../shared/toast/toast-store';
import { FormField } from '../../shared/ui/form-field';
import { PasswordField } from '../../shared/ui/password-field';
import { SubmitButton } from '../../shared/ui/submit-button';
import { useUsernameCheck } from './api/use-username-check';
import { AuthScreen } from './auth-screen';
import { AuthCard } from './components/auth-card';
import { UsernameField } from './components/username-field';
import { checkProfile } from './validation';

/**
 * /complete-profile and /change-password: a person who came in by a link or a temporary password gives name, username
 * and a password of their own. `next` is the page to go to afterwards. Signed out it is the login screen, with `email`.
 */
export function CompleteProfilePage() {
  const [query] = useSearchParams();
  const { data: user, error, refetch } = useCurrentUser();
  if (user === null) return <AuthScreen email={query.get('email') ?? ''} temporary />;
  if (user && !user.needsProfileCompletion) return <Navigate to={internalPath(query.get('next'), '/')} replace />;
  return (
    <PublicFrame centred>
      {error && !user && <PlainError error={error} onRetry={() => void refetch()} />}
      {user && <CompleteProfile user={user} />}
    </PublicFrame>
  );
}

function CompleteProfile({ user }: { user: CurrentUser }) {
  const { t } = useTranslation('auth');
  const errorText = useErrorText();
  const queries = useQueryClient();
  const form = useForm({
    initial: {
      firstName: user.firstName ?? '',
      lastName: user.lastName === '.' ? '' : (user.lastName ?? ''),
      username: user.username ?? '',
      newPassword: '',
      confirmPassword: '',
    },
    validate: (values) => checkProfile(values, check, t),
    submit: async ({ firstName, lastName, username, newPassword }) => {
      const names = { firstName: firstName.trim(), lastName: lastName.trim(), username };
      const { data } = await api.POST('/api/complete-profile', { body: { email: user.email, ...names, newPassword } });
      if (!data) return;
      toast.success(t('complete.done'));
      adoptUser(queries, data);
    },
    onFailure: (error) => toast.error(t('complete.failed'), errorText(error)),
  });
  const check = useUsernameCheck(form.values.username, user.username);
  return (
    <AuthCard title={t('complete.title')} text={t('complete.text', { email: user.email })}>
      <Stack component="form" spacing={4} {...form.formProps}>
        <FormField {...form.field('firstName')} label={t('fields.firstName')} autoComplete="given-name" />
        <FormField {...form.field('lastName')} label={t('fields.lastName')} autoComplete="family-name" />
        <UsernameField {...form.field('username')} check={check} />
        <PasswordField
          {...form.field('newPassword')}
          label={t('fields.newPassword')}
          help={t('help.password')}
          autoComplete="new-password"
        />
        <PasswordField
          {...form.field('confirmPassword')}
          label={t('fields.confirmPassword')}
          autoComplete="new-password"
        />
        <SubmitButton sending={form.sending} fullWidth>
          {t('complete.submit')}
        </SubmitButton>
      </Stack>
    </AuthCard>
  );
}
