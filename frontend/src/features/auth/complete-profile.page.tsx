import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useNavigate, useSearchParams } from 'react-router';
import { ReauthenticationPrompt } from '../../app/layout/reauthentication-prompt';
import { toPasswordOwner } from '../../shared/account/strength/password-owner';
import { useUsernameCheck } from '../../shared/account/use-username-check';
import { UsernameField } from '../../shared/account/username-field';
import { hasCode } from '../../shared/api/api-error';
import { api, type Schema } from '../../shared/api/client';
import { useCurrentUser, type CurrentUser } from '../../shared/api/current-user';
import { loadNewSession } from '../../shared/api/session';
import { internalPath } from '../../shared/format/internal-path';
import { NO_LAST_NAME } from '../../shared/format/person';
import { useErrorText } from '../../shared/hooks/use-error-text';
import { useForm } from '../../shared/forms/use-form';
import { PublicSubmitButton } from '../../shared/public-ui/public-button';
import { PublicError } from '../../shared/public-ui/public-error';
import { PublicField } from '../../shared/public-ui/public-field';
import { PublicFrame } from '../../shared/public-ui/public-frame';
import { toast } from '../../shared/toast/toast-store';
import { AuthScreen } from './auth-screen';
import { AuthCard } from './components/auth-card';
import { NewPasswordFields } from './components/new-password-fields';
import { SetPasswordForm } from './components/set-password-form';
import { shouldCheckUsername, validateProfile } from './validation';

interface FormProps {
  user: CurrentUser;
  onComplete: () => Promise<void>;
  /** Called if the account is complete and a second factor is required. */
  onFactorRequired: () => Promise<void>;
}

interface Props {
  /** Destination of users whose account was already complete and who requested no other page. */
  defaultDestination?: string;
}

/**
 * /complete-profile and /change-password: users who signed in with a link or a temporary password enter their name,
 * username and password, or only the password if the name is known. Setting a first password requires a confirmed
 * session, so the page may ask for an emailed code. Afterwards it redirects to the zone `zone` or the page `next`.
 * Signed-out users get the sign-in screen, with `email` filled in.
 */
export function CompleteProfilePage({ defaultDestination = '/' }: Props) {
  const [query] = useSearchParams();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { data: user, error, refetch } = useCurrentUser();
  const [isDone, setDone] = useState(false);
  if (user === null) return <AuthScreen email={query.get('email') ?? ''} isTemporaryPassword />;
  if (user && !user.needsProfileCompletion) {
    return <Navigate to={destinationOf(query, isDone ? '/' : defaultDestination)} replace />;
  }
  const finish = () => {
    setDone(true);
    return loadNewSession(queryClient);
  };
  const goToSecondFactor = async () => {
    const next = encodeURIComponent(destinationOf(query, '/'));
    await navigate(`/auth?step=factor&next=${next}`, { replace: true });
    await loadNewSession(queryClient);
  };
  const Form = user?.requiresPasswordChange ? SetPasswordForm : CompleteProfileForm;
  return (
    <PublicFrame centred>
      {error && !user && <PublicError error={error} onRetry={refetch} />}
      {user && <Form user={user} onComplete={finish} onFactorRequired={goToSecondFactor} />}
      {user && <ReauthenticationPrompt user={user} />}
    </PublicFrame>
  );
}

function destinationOf(query: URLSearchParams, fallback: string): string {
  const zone = query.get('zone');
  return zone ? `/zones/${encodeURIComponent(zone)}` : internalPath(query.get('next'), fallback);
}

function CompleteProfileForm({ user, onComplete, onFactorRequired }: FormProps) {
  const { t } = useTranslation('auth');
  const errorText = useErrorText();
  const completeProfile = useMutation({
    mutationFn: (body: Schema<'CompleteProfileDto'>) => api.POST('/api/complete-profile', { body }),
  });
  const form = useForm({
    initial: {
      firstName: user.firstName ?? '',
      lastName: user.lastName === NO_LAST_NAME ? '' : (user.lastName ?? ''),
      username: user.username ?? '',
      newPassword: '',
      confirmPassword: '',
    },
    validate: (values) => validateProfile(values, usernameCheck, t),
    submit: async ({ firstName, lastName, username, newPassword }) => {
      const names = { firstName: firstName.trim(), lastName: lastName.trim(), username };
      const { data } = await completeProfile.mutateAsync({ email: user.email, ...names, newPassword });
      toast.success(t('complete.done'));
      await (data && 'requiresFactor' in data ? onFactorRequired() : onComplete());
    },
    onFailure: (error) => {
      if (hasCode(error, 'USERNAME_TAKEN', 'USERNAME_RESERVED')) form.showErrors({ username: error.message });
      // The profile was completed in another tab; the user can simply continue.
      else if (hasCode(error, 'PROFILE_COMPLETE')) void onComplete();
      else toast.error(t('complete.failed'), errorText(error));
    },
  });
  const usernameCheck = useUsernameCheck(
    form.values.username,
    shouldCheckUsername(form.values.username, user.username),
  );
  return (
    <AuthCard title={t('complete.title')} text={t('complete.text', { email: user.email })}>
      <form className="z-form" {...form.formProps}>
        <PublicField {...form.field('firstName')} label={t('fields.firstName')} autoComplete="given-name" />
        <PublicField {...form.field('lastName')} label={t('fields.lastName')} autoComplete="family-name" />
        <UsernameField {...form.field('username')} Field={PublicField} usernameCheck={usernameCheck} />
        <NewPasswordFields
          owner={{ ...toPasswordOwner(form.values), email: user.email }}
          password={form.field('newPassword')}
          confirmation={form.field('confirmPassword')}
        />
        <PublicSubmitButton isSubmitting={form.isSubmitting}>{t('complete.submit')}</PublicSubmitButton>
      </form>
    </AuthCard>
  );
}
