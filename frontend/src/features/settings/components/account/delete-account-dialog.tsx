import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import type { CurrentUser } from '../../../../shared/api/current-user';
import { useErrorText } from '../../../../shared/hooks/use-error-text';
import { ConfirmDialog } from '../../../../shared/ui/confirm-dialog';
import { useDeleteAccount } from '../../api/use-delete-account';
import { WhatGoes } from './what-goes';

interface Props {
  open: boolean;
  user: CurrentUser;
  onClose: () => void;
}

/** Says what goes with the account, and has its address typed before all of it goes. */
export function DeleteAccountDialog({ open, user, onClose }: Props) {
  const { t } = useTranslation('settings');
  const errorText = useErrorText();
  const remove = useDeleteAccount();
  const close = () => {
    remove.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      open={open}
      title={t('deletion.title')}
      confirmLabel={t('deletion.submit')}
      typeToConfirm={user.email}
      busy={remove.isPending || remove.isSuccess}
      onConfirm={() => remove.mutate()}
      onClose={close}
    >
      <Box component="p" sx={{ m: 0 }}>
        {t('deletion.text')}
      </Box>
      <WhatGoes user={user} />
      {remove.error && (
        <Alert severity="error">
          {t('deletion.failed')}. {errorText(remove.error)}
        </Alert>
      )}
    </ConfirmDialog>
  );
}
