import Stack from '@mui/material/Stack';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { HiddenUsername } from '../../../shared/account/hidden-username';
import { hasCode } from '../../../shared/api/api-error';
import { api } from '../../../shared/api/client';
import type { CurrentUser } from '../../../shared/api/current-user';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useForm } from '../../../shared/hooks/use-form';
import { toast } from '../../../shared/toast/toast-store';
import { PasswordField } from '../../../shared/ui/password-field';
import { RepeatPasswordField } from '../../../shared/ui/repeat-password-field';
import { sessionsKey } from '../api/use-sessions';
import { SaveButton } from './save-button';
import { Section, SectionBody, SectionFoot } from './section';

/** Changing the password; afterwards the form is empty again. */
export function PasswordSection({ user }: { user: CurrentUser }) {
  const { t } = useTranslation('settings');
  const [changes, setChanges] = useState(0);
  return (
    <Section id="password" title={t('password.title')} text={t('password.text')}>
      <PasswordForm key={changes} email={user.email} onChanged={() => setChanges((count) => count + 1)} />
    </Section>
  );
}

function PasswordForm({ email, onChanged }: { email: string; onChanged: () => void }) {
  const { t } = useTranslation('settings');
  const errorText = useErrorText();
  const change = useChangePassword();
  const form = useForm({
    initial: { currentPassword: '', newPassword: '', confirmPassword: '' },
    validate: (values) => {
      const missing = Object.entries(values).filter(([, value]) => !value);
      if (missing.length > 0) return Object.fromEntries(missing.map(([name]) => [name, t('errors.allRequired')]));
      return {
        newPassword: values.newPassword.length < 8 ? t('errors.passwordShort') : undefined,
        confirmPassword: values.confirmPassword !== values.newPassword ? t('errors.passwordsDiffer') : undefined,
      };
    },
    submit: async ({ currentPassword, newPassword }) => {
      await change.mutateAsync({ email, currentPassword, newPassword });
      toast.success(t('password.saved'), t('password.savedText'));
      onChanged();
    },
    onFailure: (error) => {
      if (hasCode(error, 'WRONG_PASSWORD')) form.fail({ currentPassword: error.message });
      else toast.error(t('password.failed'), errorText(error) || t('errors.password'));
    },
  });
  const typed = Object.values(form.values).some(Boolean);
  return (
    <form {...form.formProps}>
      <SectionBody>
        <HiddenUsername email={email} />
        <Stack spacing={5}>
          <PasswordField
            {...form.field('currentPassword')}
            label={t('password.current')}
            autoComplete="current-password"
          />
          <PasswordField
            {...form.field('newPassword')}
            label={t('password.new')}
            help={t('password.help')}
            autoComplete="new-password"
          />
          <RepeatPasswordField
            {...form.field('confirmPassword')}
            label={t('password.confirm')}
            password={form.values.newPassword}
            differs={t('errors.passwordsDiffer')}
          />
        </Stack>
      </SectionBody>
      <SectionFoot>
        <SaveButton changed={typed} always sending={form.sending}>
          {t('password.submit')}
        </SaveButton>
      </SectionFoot>
    </form>
  );
}

function useChangePassword() {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: { email: string; currentPassword: string; newPassword: string }) =>
      api.POST('/api/change-password', { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: sessionsKey }),
  });
}
