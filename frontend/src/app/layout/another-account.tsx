import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useAnotherAccount } from '../../shared/account/opened-for';
import type { CurrentUser } from '../../shared/api/current-user';
import { unsaved } from '../../shared/forms/unsaved';

/** Says that another account has signed in in this browser, for whom nothing of this page may be done. */
export function AnotherAccount({ user }: { user: CurrentUser }) {
  const { t } = useTranslation();
  const id = useId();
  const reload = () => {
    unsaved.letGo();
    location.reload();
  };
  return (
    <Dialog open={useAnotherAccount()} aria-labelledby={id} maxWidth="xs">
      <DialogTitle id={id}>{t('anotherAccount.title')}</DialogTitle>
      <DialogContent sx={{ overflowWrap: 'anywhere' }}>{t('anotherAccount.text', { email: user.email })}</DialogContent>
      <DialogActions>
        <Button variant="contained" color="primary" onClick={reload}>
          {t('anotherAccount.reload')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
