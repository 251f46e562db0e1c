import AddRounded from '@mui/icons-material/AddRounded';
import FolderSharedRounded from '@mui/icons-material/FolderSharedRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { hasNoOwnZones } from '../../../shared/account/home-preference';
import { $api } from '../../../shared/api/client';
import { useSignedInUser } from '../../../shared/api/current-user';
import { EmptyState } from '../../../shared/ui/empty-state';
import { ErrorState } from '../../../shared/ui/error-state';
import { PageHeader } from '../../../shared/ui/page-header';
import { CardsSkeleton } from '../../../shared/ui/skeletons';
import { ContinueReading } from './continue-reading';
import { Invitations } from './invitations';
import { HomeZones } from './home-zones';
import { RecentFiles } from './recent-files';

/** `/` for members without own zones: invitations, documents to continue, zones with what is new, and latest files. */
export function HomePage() {
  const { t } = useTranslation('sharedZones');
  const { data: home, error, refetch } = $api.useQuery('get', '/api/home');
  const isEmpty = home?.zones.length === 0 && home.invitations.length === 0;
  return (
    <Box sx={{ maxWidth: 'lg', mx: 'auto' }}>
      <PageHeader title={t('home.title')} />
      {error && !home && <ErrorState title={t('failed')} error={error} onRetry={refetch} />}
      {!home && !error && <CardsSkeleton cards={3} />}
      {isEmpty && (
        <Card>
          <EmptyState icon={<FolderSharedRounded />} title={t('empty.title')} text={t('empty.text')} />
        </Card>
      )}
      {home && (
        <Box sx={{ display: 'grid', gap: 4, gridTemplateColumns: 'minmax(0, 1fr)' }}>
          <Invitations invitations={home.invitations} />
          {home.continueReading.length > 0 && <ContinueReading documents={home.continueReading} />}
          {home.zones.length > 0 && <HomeZones zones={home.zones} />}
          {home.recentFiles.length > 0 && <RecentFiles files={home.recentFiles} />}
        </Box>
      )}
      {home && <CreateZoneLink />}
    </Box>
  );
}

/**
 * Not shown to users with an incomplete profile, whom the notice at the top asks to complete it, or to people with
 * zones of their own, who create more on the zones page.
 */
function CreateZoneLink() {
  const { t } = useTranslation('sharedZones');
  const user = useSignedInUser();
  if (!hasNoOwnZones(user) || user.isReader) return null;
  return (
    <Box sx={{ mt: 6, textAlign: 'center' }}>
      <Button component={Link} to="/zones?create=zone" variant="text" startIcon={<AddRounded />}>
        {t('home.create')}
      </Button>
    </Box>
  );
}
