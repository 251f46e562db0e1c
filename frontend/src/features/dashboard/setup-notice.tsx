import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useSignedInUser } from '../../shared/api/current-user';
import { useInstallation } from '../../shared/installation/use-installation';
import { useSetupNoticeClosed } from './use-is-dashboard-loaded';

/** Links a super admin back to an unfinished setup; hidden once it is finished or the notice is dismissed. */
export function SetupNotice() {
  const { isSuperAdmin } = useSignedInUser();
  const [isClosed, setIsClosed] = useSetupNoticeClosed();
  if (!isSuperAdmin || isClosed) return null;
  return <UnfinishedSetupAlert onClose={() => setIsClosed(true)} />;
}

function UnfinishedSetupAlert({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('dashboard');
  // Hidden if it fails to load: it is optional, and is requested again on the next visit.
  const { data: installation } = useInstallation();
  if (!installation?.setupLeft.length) return null;
  return (
    <Alert
      severity="info"
      sx={{ mb: 4, alignItems: 'center' }}
      onClose={onClose}
      slotProps={{ closeButton: { 'aria-label': t('setup.close') } }}
    >
      <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1 }}>
        <span>{t('setup.text')}</span>
        <Button component={Link} to="/setup" variant="text" size="small" sx={{ ml: -1 }}>
          {t('setup.goOn')}
        </Button>
      </Box>
    </Alert>
  );
}
