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
import { profileRequiredStore, useIsProfileRequired } from '../../shared/account/profile-required-store';
import { useStoredFlag } from '../../shared/hooks/use-stored-flag';

/** Notices for users who joined by a link and haven't completed their profile. */
export function IncompleteProfileNotices() {
  return (
    <>
      <SetPasswordNotice />
      <ProfileRequiredDialog />
    </>
  );
}

function useProfileUrl(): string {
  const { pathname, search } = useLocation();
  return `/complete-profile?next=${encodeURIComponent(pathname + search)}`;
}

/** Suggests setting a password; closing it hides it permanently. */
function SetPasswordNotice() {
  const { t } = useTranslation();
  const [isClosed, setIsClosed] = useStoredFlag('readerNoteClosed', false);
  const profileUrl = useProfileUrl();
  if (isClosed) return null;
  return (
    <Alert
      severity="info"
      sx={{ mb: 6, alignItems: 'center' }}
      onClose={() => setIsClosed(true)}
      slotProps={{ closeButton: { 'aria-label': t('incompleteProfile.dismiss') } }}
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1 }}>
        <span>{t('incompleteProfile.faster')}</span>
        <Button component={Link} to={profileUrl} variant="text" size="small" sx={{ ml: -1 }}>
          {t('incompleteProfile.setPassword')}
        </Button>
      </Box>
    </Alert>
  );
}

/** Says that the profile must be completed first. Input behind the dialog is kept. */
function ProfileRequiredDialog() {
  const { t } = useTranslation();
  const titleId = useId();
  const isOpen = useIsProfileRequired();
  const profileUrl = useProfileUrl();
  return (
    <Dialog open={isOpen} onClose={profileRequiredStore.close} aria-labelledby={titleId} maxWidth="xs" fullWidth>
      <DialogTitle id={titleId}>{t('incompleteProfile.profileTitle')}</DialogTitle>
      <DialogContent>{t('incompleteProfile.profileText')}</DialogContent>
      <DialogActions>
        <Button onClick={profileRequiredStore.close}>{t('plan.notNow')}</Button>
        <Button
          component={Link}
          to={profileUrl}
          variant="contained"
          color="primary"
          onClick={profileRequiredStore.close}
        >
          {t('incompleteProfile.profileAction')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
