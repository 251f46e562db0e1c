import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { hasCode } from '../../../../shared/api/api-error';
import { api } from '../../../../shared/api/client';
import type { CurrentUser } from '../../../../shared/api/current-user';
import { useErrorText } from '../../../../shared/hooks/use-error-text';
import { DialogForm, FormDialog } from '../../../../shared/forms/form-dialog';
import { useForm } from '../../../../shared/forms/use-form';
import { useEmailToast } from '../../../../shared/site/email-delivery';
import { toast } from '../../../../shared/toast/toast-store';
import { FormField } from '../../../../shared/ui/fields/form-field';

/** Asks for a new email address; the change is applied by a link sent to it. */
export function ChangeEmailButton({ user }: { user: CurrentUser }) {
  const { t } = useTranslation('settings');
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>{t('emailChange.open')}</Button>
      <FormDialog open={isOpen} onClose={close}>
        <ChangeEmailForm user={user} onClose={close} />
      </FormDialog>
    </>
  );
}

function ChangeEmailForm({ user, onClose }: { user: CurrentUser; onClose: () => void }) {
  const { t } = useTranslation('settings');
  const errorText = useErrorText();
  const emailToast = useEmailToast();
  const requestEmailChange = useMutation({
    mutationFn: (email: string) => api.POST('/api/user/email', { body: { email } }),
  });
  const form = useForm({
    initial: { email: '' },
    validate: ({ email }) =>
      email.trim() && email.trim() !== user.email ? {} : { email: t('emailChange.emailRequired') },
    submit: async ({ email }) => {
      const { data } = await requestEmailChange.mutateAsync(email.trim());
      emailToast(t('emailChange.sent'), data?.message);
      onClose();
    },
    onFailure: (error) => {
      if (hasCode(error, 'EMAIL_UNCHANGED')) form.showErrors({ email: error.message });
      else toast.error(t('emailChange.failed'), errorText(error));
    },
  });
  return (
    <DialogForm title={t('emailChange.title')} form={form} submitLabel={t('emailChange.submit')}>
      <Typography color="textSecondary">{t('emailChange.text')}</Typography>
      <FormField {...form.field('email')} label={t('emailChange.email')} type="email" autoComplete="off" autoFocus />
    </DialogForm>
  );
}
