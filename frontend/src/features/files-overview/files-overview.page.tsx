import FolderSpecialRounded from '@mui/icons-material/FolderSpecialRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { $api } from '../../shared/api/client';
import { VirtualItems } from '../../shared/browse/virtual-items';
import { EmptyState } from '../../shared/ui/empty-state';
import { ErrorState } from '../../shared/ui/error-state';
import { PageHeader } from '../../shared/ui/page-header';
import { CardsSkeleton } from '../../shared/ui/skeletons';
import { FileFigures } from './file-figures';
import { ZoneFiles } from './zone-files';

/** /files: what lies in all zones that the person owns, a card for each zone. */
export function FilesOverviewPage() {
  const { t } = useTranslation('filesOverview');
  const { data: zones, error, refetch } = $api.useQuery('get', '/api/zones');
  return (
    <Box sx={{ maxWidth: 'lg', mx: 'auto' }}>
      <PageHeader title={t('title')} description={t('description')} />
      <FileFigures />
      <Box sx={{ mt: 4 }}>
        {error && !zones && <ErrorState title={t('failed')} error={error} onRetry={refetch} />}
        {!zones && !error && <CardsSkeleton cards={2} />}
        {zones?.length === 0 && <NoZones />}
        {zones && zones.length > 0 && (
          <VirtualItems
            count={zones.length}
            gap={16}
            height={320}
            keyOf={(index) => zones[index]!.id}
            renderItem={(index) => <ZoneFiles zone={zones[index]!} />}
          />
        )}
      </Box>
    </Box>
  );
}

function NoZones() {
  const { t } = useTranslation('filesOverview');
  return (
    <Card>
      <EmptyState
        icon={<FolderSpecialRounded />}
        title={t('empty.title')}
        text={t('empty.text')}
        action={
          <Button component={Link} to="/zones" variant="contained" color="primary">
            {t('empty.action')}
          </Button>
        }
      />
    </Card>
  );
}
