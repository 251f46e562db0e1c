import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { HiddenUsername } from '../../../shared/account/hidden-username';
import { hasCode } from '../../../shared/api/api-error';
import type { CurrentUser } from '../../../shared/api/current-user';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useForm } from '../../../shared/hooks/use-form';
import { PasswordField } from '../../../shared/ui/password-field';
import { useDeleteAccount } from '../api/use-delete-account';
import { WhatGoes } from './what-goes';

interface Props {
  open: boolean;
  user: CurrentUser;
  onClose: () => void;
}

/** Says what goes with the account, and asks for the password before all of it goes. */
export function DeleteAccountDialog({ open, ...rest }: Props) {
  const id = useId();
  const remove = useDeleteAccount();
  const busy = remove.isPending || remove.isSuccess;
  return (
    <Dialog open={open} onClose={busy ? undefined : rest.onClose} aria-labelledby={id} maxWidth="sm">
      {open && <DeleteForm titleId={id} {...rest} busy={busy} onDelete={remove.mutateAsync} />}
    </Dialog>
  );
}

interface FormProps extends Omit<Props, 'open'> {
  titleId: string;
  busy: boolean;
  onDelete: (password: string) => Promise<unknown>;
}

function DeleteForm({ titleId, user, busy, onDelete, onClose }: FormProps) {
  const { t } = useTranslation('settings');
  const { t: common } = useTranslation();
  const errorText = useErrorText();
  const [failure, setFailure] = useState<string | null>(null);
  const form = useForm({
    initial: { password: '' },
    validate: ({ password }) => (password ? {} : { password: t('deletion.passwordRequired') }),
    submit: async ({ password }) => {
      setFailure(null);
      await onDelete(password);
    },
    onFailure: (error) => {
      if (hasCode(error, 'WRONG_PASSWORD')) form.fail({ password: error.message });
      else setFailure(errorText(error));
    },
  });
  return (
    <form {...form.formProps}>
      <DialogTitle id={titleId}>{t('deletion.title')}</DialogTitle>
      <DialogContent>
        <Stack spacing={5}>
          <Box>
            <Typography color="textSecondary">{t('deletion.text')}</Typography>
            <WhatGoes user={user} />
          </Box>
          {failure && (
            <Alert severity="error">
              {t('deletion.failed')}. {failure}
            </Alert>
          )}
          <HiddenUsername email={user.email} />
          <PasswordField
            {...form.field('password')}
            label={t('deletion.password')}
            autoComplete="current-password"
            autoFocus
          />
        </Stack>
      </DialogContent>
      <DialogActions>
        <Button onClick={onClose} disabled={busy}>
          {common('actions.cancel')}
        </Button>
        <Button type="submit" variant="contained" color="error" loading={busy} loadingPosition="start">
          {t('deletion.submit')}
        </Button>
      </DialogActions>
    </form>
  );
}
