import Alert from '@mui/material/Alert';
import Typography from '@mui/material/Typography';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';

import { useTranslation } from 'react-i18next';
import { api, type Schema } from '../../../shared/api/client';
import { hasCode } from '../../../shared/api/api-error';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { DialogForm, FormDialog } from '../../../shared/forms/form-dialog';
import { useForm } from '../../../shared/forms/use-form';
import { toast } from '../../../shared/toast/toast-store';
import { FormField } from '../../../shared/ui/fields/form-field';
import { getDisplayName, type UserDetail } from './user';

interface Props {
  user: UserDetail;
  open: boolean;
  onClose: () => void;
}

/** Changes the email address of an account whose owner has lost the old one. */
export function ChangeEmailDialog({ user, open, onClose }: Props) {
  return (
    <FormDialog open={open} onClose={onClose}>
      <ChangeEmailForm user={user} onClose={onClose} />
    </FormDialog>
  );
}

function ChangeEmailForm({ user, onClose }: Omit<Props, 'open'>) {
  const { t } = useTranslation('admin');
  const errorText = useErrorText();
  const [errorMessage, setErrorMessage] = useState<string | null>(null);
  const changeEmail = useChangeEmail(user.id);
  const form = useForm({
    draft: { key: `admin.user.${user.id}.email`, fields: ['email', 'reason'] },
    initial: { email: '', reason: '' },
    validate: ({ email }) =>
      email.trim() && email.trim() !== user.email ? {} : { email: t('emailChange.emailRequired') },
    submit: async ({ email, reason }) => {
      setErrorMessage(null);
      await changeEmail.mutateAsync({ email: email.trim(), ...(reason.trim() && { reason: reason.trim() }) });
      toast.success(t('emailChange.done'), t('emailChange.doneText', { email: email.trim() }));
      onClose();
    },
    onFailure: (error) => {
      if (hasCode(error, 'EMAIL_TAKEN', 'EMAIL_UNCHANGED')) form.showErrors({ email: error.message });
      else setErrorMessage(errorText(error));
    },
  });
  return (
    <DialogForm
      title={t('emailChange.title', { name: getDisplayName(user) })}
      form={form}
      submitLabel={t('emailChange.submit')}
    >
      <Typography color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
        {t('emailChange.text', { email: user.email })}
      </Typography>
      {errorMessage && <Alert severity="error">{errorMessage}</Alert>}
      <FormField {...form.field('email')} label={t('emailChange.email')} type="email" autoComplete="off" autoFocus />
      <FormField
        {...form.field('reason')}
        label={t('emailChange.reason')}
        help={t('emailChange.reasonHelp')}
        maxLength={300}
        autoComplete="off"
        optional
      />
    </DialogForm>
  );
}

function useChangeEmail(id: number) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (body: Schema<'ChangeEmailDto'>) =>
      api.PATCH('/api/admin/users/{id}/email', { params: { path: { id } }, body }),
    onSuccess: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: ['users'] }),
        queryClient.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[1]).startsWith('/api/admin/') }),
      ]),
  });
}
