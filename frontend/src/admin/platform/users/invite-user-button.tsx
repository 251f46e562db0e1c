import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../shared/api/client';
import { useSignedInUser } from '../../../shared/api/current-user';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { DialogForm, FormDialog } from '../../../shared/forms/form-dialog';
import { useForm } from '../../../shared/forms/use-form';
import { useLanguage } from '../../../shared/hooks/use-format';
import { FormField } from '../../../shared/ui/fields/form-field';
import { useEmailSentText } from '../../../shared/site/email-delivery';
import { useAdminMutation } from '../../ui/use-admin-mutation';

/** Invites a person to create an account; for super admins. */
export function InviteUserButton() {
  const { t } = useTranslation('admin');
  const { isSuperAdmin } = useSignedInUser();
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  if (!isSuperAdmin) return null;
  return (
    <Box sx={{ display: 'flex', justifyContent: 'flex-end', mb: 4 }}>
      <Button variant="contained" color="primary" onClick={() => setIsOpen(true)}>
        {t('invitePerson.open')}
      </Button>
      <FormDialog open={isOpen} onClose={close}>
        <InviteUserForm onClose={close} />
      </FormDialog>
    </Box>
  );
}

function InviteUserForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('admin');
  const withDeliveryNote = useEmailSentText();
  const language = useLanguage();
  const errorText = useErrorText();
  const [errorMessage, setErrorMessage] = useState<string | null>(null);
  const invite = useAdminMutation<string, unknown>({
    resource: 'users',
    call: (email) => api.POST('/api/admin/users', { body: { email, language } }),
    successMessage: (_, email) => withDeliveryNote(t('invitePerson.done', { email })),
    errorTitle: t('users.changeFailed'),
  });
  const form = useForm({
    draft: { key: 'admin.invite-person', fields: ['email'] },
    initial: { email: '' },
    validate: ({ email }) => (email.trim() ? {} : { email: t('invitePerson.emailRequired') }),
    submit: async ({ email }) => {
      setErrorMessage(null);
      await invite.mutateAsync(email.trim());
      onClose();
    },
    onFailure: (error) => setErrorMessage(errorText(error)),
  });
  return (
    <DialogForm title={t('invitePerson.title')} form={form} submitLabel={t('invitePerson.submit')}>
      <Typography color="textSecondary">{t('invitePerson.text')}</Typography>
      {errorMessage && <Alert severity="error">{errorMessage}</Alert>}
      <FormField {...form.field('email')} label={t('users.email')} type="email" autoComplete="off" autoFocus />
    </DialogForm>
  );
}
