import Stack from '@mui/material/Stack';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { HiddenUsername } from '../../../../shared/account/hidden-username';
import { NewPasswordField } from '../../../../shared/account/new-password-field';
import { RepeatPasswordField } from '../../../../shared/account/repeat-password-field';
import { toPasswordOwner } from '../../../../shared/account/strength/password-owner';
import { hasCode } from '../../../../shared/api/api-error';
import { api } from '../../../../shared/api/client';
import type { CurrentUser } from '../../../../shared/api/current-user';
import { invalidate } from '../../../../shared/api/invalidate';
import { useErrorText } from '../../../../shared/hooks/use-error-text';
import { useForm } from '../../../../shared/forms/use-form';
import { toast } from '../../../../shared/toast/toast-store';
import { PasswordField } from '../../../../shared/ui/fields/password-field';
import { SaveButton } from '../save-button';
import { Section, SectionBody, SectionFooter } from '../section';

const CURRENT_PASSWORD = 'currentPassword';

/**
 * Changes the password, or sets a first one for users who only use single sign-on. For those the server requires
 * reauthentication, whose dialog opens automatically. The form is cleared afterwards.
 */
export function PasswordSection({ user }: { user: CurrentUser }) {
  const { t } = useTranslation('settings');
  const [changeCount, setChangeCount] = useState(0);
  return (
    <Section id="password" title={t('password.title')} text={t(user.hasPassword ? 'password.text' : 'password.none')}>
      <PasswordForm key={changeCount} user={user} onChanged={() => setChangeCount((count) => count + 1)} />
    </Section>
  );
}

function PasswordForm({ user, onChanged }: { user: CurrentUser; onChanged: () => void }) {
  const { t } = useTranslation('settings');
  const { hasPassword } = user;
  const errorText = useErrorText();
  const changePassword = useChangePassword();
  const form = useForm({
    initial: { currentPassword: '', newPassword: '', confirmPassword: '' },
    validate: (values) => {
      const missingFields = Object.entries(values).filter(
        ([name, value]) => !value && (hasPassword || name !== CURRENT_PASSWORD),
      );
      if (missingFields.length > 0)
        return Object.fromEntries(missingFields.map(([name]) => [name, t('errors.allRequired')]));
      return {
        newPassword: values.newPassword.length < 8 ? t('errors.passwordShort') : undefined,
        confirmPassword: values.confirmPassword !== values.newPassword ? t('errors.passwordsDiffer') : undefined,
      };
    },
    submit: async ({ currentPassword, newPassword }) => {
      await changePassword.mutateAsync({ email: user.email, newPassword, ...(hasPassword && { currentPassword }) });
      toast.success(t(hasPassword ? 'password.saved' : 'password.set'), t('password.savedText'));
      onChanged();
    },
    onFailure: (error) => {
      if (hasCode(error, 'WRONG_PASSWORD')) form.showErrors({ currentPassword: error.message });
      else toast.error(t(hasPassword ? 'password.failed' : 'password.setFailed'), errorText(error));
    },
  });
  const hasInput = Object.values(form.values).some(Boolean);
  return (
    <form {...form.formProps}>
      <SectionBody>
        <HiddenUsername email={user.email} />
        <Stack spacing={5}>
          {hasPassword && (
            <PasswordField
              {...form.field(CURRENT_PASSWORD)}
              label={t('password.current')}
              autoComplete="current-password"
            />
          )}
          <NewPasswordField
            {...form.field('newPassword')}
            Field={PasswordField}
            label={t('password.new')}
            owner={toPasswordOwner(user)}
          />
          <RepeatPasswordField
            {...form.field('confirmPassword')}
            Field={PasswordField}
            label={t('password.confirm')}
            password={form.values.newPassword}
            mismatchError={t('errors.passwordsDiffer')}
          />
        </Stack>
      </SectionBody>
      <SectionFooter>
        <SaveButton hasChanges={hasInput} alwaysEnabled isSubmitting={form.isSubmitting}>
          {t(hasPassword ? 'password.submit' : 'password.setSubmit')}
        </SaveButton>
      </SectionFooter>
    </form>
  );
}

function useChangePassword() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: { email: string; currentPassword?: string; newPassword: string }) =>
      api.POST('/api/change-password', { body }),
    onSuccess: () => invalidate(queryClient, 'POST /api/change-password'),
  });
}
