import Stack from '@mui/material/Stack';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useNavigate, useSearchParams } from 'react-router';
import { Confirmation } from '../../app/layout/confirmation';
import { ownerOf } from '../../shared/account/strength/owner';
import { useUsernameCheck } from '../../shared/account/use-username-check';
import { UsernameField } from '../../shared/account/username-field';
import { hasCode } from '../../shared/api/api-error';
import { api, type Schema } from '../../shared/api/client';
import { useCurrentUser, type CurrentUser } from '../../shared/api/current-user';
import { enterSession } from '../../shared/api/sign-in';
import { internalPath } from '../../shared/format/internal-path';
import { useErrorText } from '../../shared/hooks/use-error-text';
import { useForm } from '../../shared/forms/use-form';
import { PlainError } from '../../shared/plain/plain-error';
import { PublicFrame } from '../../shared/plain/public-frame';
import { toast } from '../../shared/toast/toast-store';
import { FormField } from '../../shared/ui/fields/form-field';
import { SubmitButton } from '../../shared/ui/submit-button';
import { AuthScreen } from './auth-screen';
import { AuthCard } from './components/auth-card';
import { NewPasswordFields } from './components/new-password-fields';
import { SetPasswordForm } from './components/set-password-form';
import { canAskFor, checkProfile } from './validation';

interface FormProps {
  user: CurrentUser;
  onDone: () => Promise<void>;
  /** The account is complete, and signing in asks for more. */
  onFactors: () => Promise<void>;
}

interface Props {
  /** Where somebody is led whose account was complete when they came, and who asked for no other page. */
  whenComplete?: string;
}

/**
 * /complete-profile and /change-password: a person who came in by a link or a temporary password enters a name, a username
 * and a password, or the password alone when the name is known. A first password needs a confirmed session, so the page
 * can ask for an emailed code. Afterwards it leads to the zone `zone` or the page `next`. Signed out it is the login
 * screen, with `email` filled in.
 */
export function CompleteProfilePage({ whenComplete = '/' }: Props) {
  const [query] = useSearchParams();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { data: user, error, refetch } = useCurrentUser();
  const [done, setDone] = useState(false);
  if (user === null) return <AuthScreen email={query.get('email') ?? ''} temporary />;
  if (user && !user.needsProfileCompletion) {
    return <Navigate to={destinationOf(query, done ? '/' : whenComplete)} replace />;
  }
  const finish = () => {
    setDone(true);
    return enterSession(queries);
  };
  const goOn = async () => {
    const next = encodeURIComponent(destinationOf(query, '/'));
    await navigate(`/auth?step=factor&next=${next}`, { replace: true });
    await enterSession(queries);
  };
  const Form = user?.requiresPasswordChange ? SetPasswordForm : CompleteProfile;
  return (
    <PublicFrame centred>
      {error && !user && <PlainError error={error} onRetry={refetch} />}
      {user && <Form user={user} onDone={finish} onFactors={goOn} />}
      {user && <Confirmation user={user} />}
    </PublicFrame>
  );
}

function destinationOf(query: URLSearchParams, otherwise: string): string {
  const zone = query.get('zone');
  return zone ? `/zones/${encodeURIComponent(zone)}` : internalPath(query.get('next'), otherwise);
}

function CompleteProfile({ user, onDone, onFactors }: FormProps) {
  const { t } = useTranslation('auth');
  const errorText = useErrorText();
  const complete = useMutation({
    mutationFn: (body: Schema<'CompleteProfileDto'>) => api.POST('/api/complete-profile', { body }),
  });
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
      const { data } = await complete.mutateAsync({ email: user.email, ...names, newPassword });
      toast.success(t('complete.done'));
      await (data && 'requiresFactor' in data ? onFactors() : onDone());
    },
    onFailure: (error) => {
      if (hasCode(error, 'USERNAME_TAKEN')) form.fail({ username: error.message });
      // Another tab was faster; the person may simply go on.
      else if (hasCode(error, 'PROFILE_COMPLETE')) void onDone();
      else toast.error(t('complete.failed'), errorText(error));
    },
  });
  const check = useUsernameCheck(form.values.username, canAskFor(form.values.username, user.username));
  return (
    <AuthCard title={t('complete.title')} text={t('complete.text', { email: user.email })}>
      <Stack component="form" spacing={4} {...form.formProps}>
        <FormField {...form.field('firstName')} label={t('fields.firstName')} autoComplete="given-name" />
        <FormField {...form.field('lastName')} label={t('fields.lastName')} autoComplete="family-name" />
        <UsernameField {...form.field('username')} check={check} />
        <NewPasswordFields
          owner={{ ...ownerOf(form.values), email: user.email }}
          password={form.field('newPassword')}
          repetition={form.field('confirmPassword')}
        />
        <SubmitButton sending={form.sending} fullWidth>
          {t('complete.submit')}
        </SubmitButton>
      </Stack>
    </AuthCard>
  );
}
