import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { HiddenUsername } from '../../../shared/account/hidden-username';
import { hasCode } from '../../../shared/api/api-error';
import { api } from '../../../shared/api/client';
import type { CurrentUser } from '../../../shared/api/current-user';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useForm } from '../../../shared/forms/use-form';
import { toast } from '../../../shared/toast/toast-store';
import { toPasswordOwner } from '../../../shared/account/strength/password-owner';
import { PublicSubmitButton } from '../../../shared/public-ui/public-button';
import { validatePasswordPair } from '../validation';
import { AuthCard } from './auth-card';
import { NewPasswordFields } from './new-password-fields';

interface Props {
  user: CurrentUser;
  /** Called when the account is complete. */
  onComplete: () => Promise<void>;
  /** Called if it is complete and a second factor is required. */
  onFactorRequired: () => Promise<void>;
}

/** For users with a temporary password whose name is known: only a password is missing. */
export function SetPasswordForm({ user, onComplete, onFactorRequired }: Props) {
  const { t } = useTranslation('auth');
  const errorText = useErrorText();
  const changePassword = useMutation({
    mutationFn: (newPassword: string) => api.POST('/api/change-password', { body: { email: user.email, newPassword } }),
  });
  const form = useForm({
    initial: { newPassword: '', confirmPassword: '' },
    validate: ({ newPassword, confirmPassword }) => {
      const [first, second] = validatePasswordPair(newPassword, confirmPassword);
      return { newPassword: first && t(first), confirmPassword: second && t(second) };
    },
    submit: async ({ newPassword }) => {
      const { data } = await changePassword.mutateAsync(newPassword);
      toast.success(t('setPassword.done'));
      await (data && 'requiresFactor' in data ? onFactorRequired() : onComplete());
    },
    onFailure: (error) => {
      // The password was set in another tab: a full session must provide the current password.
      if (requiresCurrentPassword(error)) void onComplete();
      else toast.error(t('setPassword.failed'), errorText(error));
    },
  });
  return (
    <AuthCard title={t('setPassword.title')} text={t('setPassword.text', { email: user.email })}>
      <form className="z-form" {...form.formProps}>
        <HiddenUsername email={user.email} />
        <NewPasswordFields
          owner={toPasswordOwner(user)}
          password={form.field('newPassword')}
          confirmation={form.field('confirmPassword')}
        />
        <PublicSubmitButton isSubmitting={form.isSubmitting}>{t('setPassword.submit')}</PublicSubmitButton>
      </form>
    </AuthCard>
  );
}

function requiresCurrentPassword(error: unknown): boolean {
  return hasCode(error, 'VALIDATION_FAILED') && 'currentPassword' in error.errors;
}
