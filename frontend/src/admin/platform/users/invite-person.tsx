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
import { useEmailWords } from '../../../shared/site/email-delivery';
import { useChange } from '../../ui/use-change';

/** Invites somebody to an account, for super admins. */
export function InvitePerson() {
  const { t } = useTranslation('admin');
  const { isSuperAdmin } = useSignedInUser();
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  if (!isSuperAdmin) return null;
  return (
    <Box sx={{ display: 'flex', justifyContent: 'flex-end', mb: 4 }}>
      <Button variant="contained" color="primary" onClick={() => setOpen(true)}>
        {t('invitePerson.open')}
      </Button>
      <FormDialog open={open} onClose={close}>
        <InviteForm onClose={close} />
      </FormDialog>
    </Box>
  );
}

function InviteForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('admin');
  const words = useEmailWords();
  const language = useLanguage();
  const errorText = useErrorText();
  const [failure, setFailure] = useState<string | null>(null);
  const invite = useChange<string, unknown>({
    resource: 'users',
    call: (email) => api.POST('/api/admin/users', { body: { email, language } }),
    done: (_, email) => words(t('invitePerson.done', { email })),
    failed: t('users.changeFailed'),
  });
  const form = useForm({
    keep: { as: 'admin.invite-person', fields: ['email'] },
    initial: { email: '' },
    validate: ({ email }) => (email.trim() ? {} : { email: t('invitePerson.emailRequired') }),
    submit: async ({ email }) => {
      setFailure(null);
      await invite.mutateAsync(email.trim());
      onClose();
    },
    onFailure: (error) => setFailure(errorText(error)),
  });
  return (
    <DialogForm title={t('invitePerson.title')} form={form} submit={t('invitePerson.submit')}>
      <Typography color="textSecondary">{t('invitePerson.text')}</Typography>
      {failure && <Alert severity="error">{failure}</Alert>}
      <FormField {...form.field('email')} label={t('users.email')} type="email" autoComplete="off" autoFocus />
    </DialogForm>
  );
}
