import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useHasAccountChanged } from '../../shared/account/account-header';
import type { CurrentUser } from '../../shared/api/current-user';
import { unsavedChanges } from '../../shared/forms/unsaved-changes';

/** Says that another account has signed in in this browser, so this page can no longer be used. */
export function AccountChangedDialog({ user }: { user: CurrentUser }) {
  const { t } = useTranslation();
  const titleId = useId();
  const reload = () => {
    unsavedChanges.discardAll();
    location.reload();
  };
  return (
    <Dialog open={useHasAccountChanged()} aria-labelledby={titleId} maxWidth="xs">
      <DialogTitle id={titleId}>{t('anotherAccount.title')}</DialogTitle>
      <DialogContent sx={{ overflowWrap: 'anywhere' }}>{t('anotherAccount.text', { email: user.email })}</DialogContent>
      <DialogActions>
        <Button variant="contained" color="primary" onClick={reload}>
          {t('anotherAccount.reload')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
