import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { hasCode, type ApiError } from '../../shared/api/api-error';
import { api } from '../../shared/api/client';
import { enterSession } from '../../shared/api/sign-in';
import { useErrorText } from '../../shared/hooks/use-error-text';
import { useForm } from '../../shared/hooks/use-form';
import { PublicFrame } from '../../shared/plain/public-frame';
import { toast } from '../../shared/toast/toast-store';
import { SubmitButton } from '../../shared/ui/submit-button';
import { AuthCard } from './components/auth-card';
import { NewPasswordFields } from './components/new-password-fields';
import { ToSignIn } from './components/to-sign-in';
import { checkPasswordPair } from './validation';

/** /reset-password: sets a new password with the `token` of the mailed link. */
export function ResetPasswordPage() {
  const { t } = useTranslation('auth');
  const [query] = useSearchParams();
  const token = query.get('token');
  const [refusal, setRefusal] = useState<string | null>(null);
  const usable = useIsUsable(token);
  const bad = refusal ?? (token ? usable === false && t('reset.unusable') : t('reset.noToken'));
  return (
    <PublicFrame centred>
      {bad || !token ? (
        <InvalidLink text={bad || t('reset.noToken')} />
      ) : (
        usable !== undefined && <NewPassword token={token} onRefused={setRefusal} />
      )}
    </PublicFrame>
  );
}

/**
 * Whether the link can still be used, asked once when the page opens; undefined until it is known. A link that could not
 * be asked about is taken for good: sending the form tells.
 */
function useIsUsable(token: string | null): boolean | undefined {
  const { data, error } = useQuery({
    queryKey: ['reset-link', token],
    queryFn: async () => (await api.POST('/api/reset-password/check', { body: { token: token! } })).data!.usable,
    enabled: token !== null && token !== '',
    staleTime: Infinity,
    gcTime: 0,
  });
  return error ? true : data;
}

function NewPassword({ token, onRefused }: { token: string; onRefused: (sentence: string) => void }) {
  const { t } = useTranslation('auth');
  const errorText = useErrorText();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const form = useForm({
    initial: { password: '', confirmPassword: '' },
    validate: ({ password, confirmPassword }) => {
      const [first, second] = checkPasswordPair(password, confirmPassword);
      return { password: first && t(first), confirmPassword: second && t(second) };
    },
    submit: async ({ password }) => {
      await api.POST('/api/reset-password', { body: { token, password } });
      toast.success(t('reset.done'), t('reset.doneText'));
      // Whoever was signed in here under this account is so no more.
      await enterSession(queries);
      await navigate('/auth', { replace: true });
    },
    onFailure: (error) => {
      if (isAboutToken(error)) onRefused(error.errors.token?.[0] ?? error.message);
      else toast.error(t('reset.failed'), errorText(error));
    },
  });
  return (
    <AuthCard title={t('reset.title')} text={t('reset.text')}>
      <Stack component="form" spacing={4} {...form.formProps}>
        <NewPasswordFields password={form.field('password')} repetition={form.field('confirmPassword')} />
        <SubmitButton sending={form.sending} fullWidth>
          {t('reset.submit')}
        </SubmitButton>
      </Stack>
    </AuthCard>
  );
}

function isAboutToken(error: unknown): error is ApiError {
  return hasCode(error, 'TOKEN_INVALID') || (hasCode(error, 'VALIDATION_FAILED') && 'token' in error.errors);
}

function InvalidLink({ text }: { text: string }) {
  const { t } = useTranslation('auth');
  return (
    <AuthCard title={t('reset.invalid')} text={text}>
      <Button component={Link} to="/forgot-password" variant="contained" color="primary">
        {t('reset.askAgain')}
      </Button>
      <ToSignIn />
    </AuthCard>
  );
}
