import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { hasCode, type ApiError } from '../../../shared/api/api-error';
import { api } from '../../../shared/api/client';
import type { components } from '../../../shared/api/schema';
import { loadNewSession } from '../../../shared/api/session';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useForm } from '../../../shared/forms/use-form';
import { PublicSubmitButton } from '../../../shared/public-ui/public-button';
import { PublicFrame } from '../../../shared/public-ui/public-frame';
import { toast } from '../../../shared/toast/toast-store';
import { AuthCard } from '../components/auth-card';
import { NewPasswordFields } from '../components/new-password-fields';
import { BackToSignInLink } from '../components/back-to-sign-in-link';
import { validatePasswordPair } from '../validation';

type ResetLink = components['schemas']['ResetLinkDto'];

/** /reset-password: sets a new password with the `token` of the emailed link. */
export function ResetPasswordPage() {
  const { t } = useTranslation('auth');
  const [query] = useSearchParams();
  const token = query.get('token');
  const [errorMessage, setErrorMessage] = useState<string | null>(null);
  const link = useResetLink(token);
  const linkError = errorMessage ?? (token ? link?.usable === false && t('reset.unusable') : t('reset.noToken'));
  return (
    <PublicFrame centred>
      {linkError || !token ? (
        <InvalidLink text={linkError || t('reset.noToken')} />
      ) : (
        link && <NewPasswordForm token={token} isFirst={link.isFirst} onInvalid={setErrorMessage} />
      )}
    </PublicFrame>
  );
}

/**
 * Loads what is known about the link, once when the page opens; undefined while loading. If the check fails, the link
 * is assumed valid: submitting the form will show the error.
 */
function useResetLink(token: string | null): ResetLink | undefined {
  const { data, error } = useQuery({
    queryKey: ['reset-link', token],
    queryFn: async () => (await api.POST('/api/reset-password/check', { body: { token: token! } })).data!,
    enabled: token !== null && token !== '',
    staleTime: Infinity,
    gcTime: 0,
  });
  return error ? { usable: true, isFirst: false } : data;
}

interface NewPasswordFormProps {
  token: string;
  isFirst: boolean;
  onInvalid: (sentence: string) => void;
}

function NewPasswordForm({ token, isFirst, onInvalid }: NewPasswordFormProps) {
  const { t } = useTranslation('auth');
  const errorText = useErrorText();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const form = useForm({
    initial: { password: '', confirmPassword: '' },
    validate: ({ password, confirmPassword }) => {
      const [first, second] = validatePasswordPair(password, confirmPassword);
      return { password: first && t(first), confirmPassword: second && t(second) };
    },
    submit: async ({ password }) => {
      await api.POST('/api/reset-password', { body: { token, password } });
      if (isFirst) toast.success(t('reset.firstDone'), t('reset.firstDoneText'));
      else toast.success(t('reset.done'), t('reset.doneText'));
      // If the user was signed in here with this account, the session has ended.
      await loadNewSession(queryClient);
      await navigate('/auth', { replace: true });
    },
    onFailure: (error) => {
      if (isTokenError(error)) onInvalid(error.errors.token?.[0] ?? error.message);
      else toast.error(t('reset.failed'), errorText(error));
    },
  });
  return (
    <AuthCard
      title={t(isFirst ? 'reset.firstTitle' : 'reset.title')}
      text={t(isFirst ? 'reset.firstText' : 'reset.text')}
    >
      <form className="z-form" {...form.formProps}>
        <NewPasswordFields owner={{}} password={form.field('password')} confirmation={form.field('confirmPassword')} />
        <PublicSubmitButton isSubmitting={form.isSubmitting}>{t('reset.submit')}</PublicSubmitButton>
      </form>
    </AuthCard>
  );
}

function isTokenError(error: unknown): error is ApiError {
  return hasCode(error, 'TOKEN_INVALID') || (hasCode(error, 'VALIDATION_FAILED') && 'token' in error.errors);
}

function InvalidLink({ text }: { text: string }) {
  const { t } = useTranslation('auth');
  return (
    <AuthCard title={t('reset.invalid')} text={text}>
      <Link className="z-button z-button-main" to="/forgot-password">
        {t('reset.askAgain')}
      </Link>
      <BackToSignInLink />
    </AuthCard>
  );
}
