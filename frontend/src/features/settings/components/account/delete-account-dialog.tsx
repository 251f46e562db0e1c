import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import type { CurrentUser } from '../../../../shared/api/current-user';
import { useErrorText } from '../../../../shared/hooks/use-error-text';
import { ConfirmDialog } from '../../../../shared/ui/confirm-dialog';
import { useDeleteAccount } from '../../api/use-delete-account';
import { DeletionSummary } from './deletion-summary';

interface Props {
  open: boolean;
  user: CurrentUser;
  onClose: () => void;
}

/** Explains what is deleted with the account, and requires typing its email address as confirmation. */
export function DeleteAccountDialog({ open, user, onClose }: Props) {
  const { t } = useTranslation('settings');
  const errorText = useErrorText();
  const deleteAccount = useDeleteAccount();
  const close = () => {
    deleteAccount.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      open={open}
      title={t('deletion.title')}
      confirmLabel={t('deletion.submit')}
      typeToConfirm={user.email}
      isPending={deleteAccount.isPending || deleteAccount.isSuccess}
      onConfirm={() => deleteAccount.mutate()}
      onClose={close}
    >
      <Box component="p" sx={{ m: 0 }}>
        {t('deletion.text')}
      </Box>
      <DeletionSummary user={user} />
      {deleteAccount.error && (
        <Alert severity="error">
          {t('deletion.failed')}. {errorText(deleteAccount.error)}
        </Alert>
      )}
    </ConfirmDialog>
  );
}
