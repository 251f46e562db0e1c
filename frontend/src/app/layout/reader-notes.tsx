import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { profileNeeded, useProfileNeeded } from '../../shared/account/profile-needed';
import { useStoredFlag } from '../../shared/hooks/use-stored-flag';

/** What people see who came by a link and have not finished their profile: they read, and may come back faster. */
export function ReaderNotes() {
  return (
    <>
      <ComeBackFaster />
      <ProfileDialog />
    </>
  );
}

function useProfilePage(): string {
  const { pathname, search } = useLocation();
  return `/complete-profile?next=${encodeURIComponent(pathname + search)}`;
}

/** Offered quietly, and gone for good when it is closed. */
function ComeBackFaster() {
  const { t } = useTranslation();
  const [closed, setClosed] = useStoredFlag('readerNoteClosed', false);
  const profile = useProfilePage();
  if (closed) return null;
  return (
    <Alert
      severity="info"
      sx={{ mb: 6, alignItems: 'center' }}
      onClose={() => setClosed(true)}
      slotProps={{ closeButton: { 'aria-label': t('reader.dismiss') } }}
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1 }}>
        <span>{t('reader.faster')}</span>
        <Button component={Link} to={profile} variant="text" size="small" sx={{ ml: -1 }}>
          {t('reader.setPassword')}
        </Button>
      </Box>
    </Alert>
  );
}

/** Says that the profile comes first, wherever something was tried that needs one; what was typed stays behind it. */
function ProfileDialog() {
  const { t } = useTranslation();
  const id = useId();
  const open = useProfileNeeded();
  const profile = useProfilePage();
  return (
    <Dialog open={open} onClose={profileNeeded.close} aria-labelledby={id} maxWidth="xs" fullWidth>
      <DialogTitle id={id}>{t('reader.profileTitle')}</DialogTitle>
      <DialogContent>{t('reader.profileText')}</DialogContent>
      <DialogActions>
        <Button onClick={profileNeeded.close}>{t('plan.notNow')}</Button>
        <Button component={Link} to={profile} variant="contained" color="primary" onClick={profileNeeded.close}>
          {t('reader.profileAction')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
