import GroupRounded from '@mui/icons-material/GroupRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { $api } from '../../../shared/api/client';
import { VirtualItems } from '../../../shared/browse/virtual-items';
import { EmptyState } from '../../../shared/ui/empty-state';
import { ErrorState } from '../../../shared/ui/error-state';
import { PageHeader } from '../../../shared/ui/page-header';
import { CardsSkeleton } from '../../../shared/ui/skeletons';
import { ZoneMembers } from './zone-members';

/** /members: who is in the zones that the person owns or helps with, a card for each zone. */
export function MembersOverviewPage() {
  const { t } = useTranslation('members');
  const { data: zones, error, refetch } = $api.useQuery('get', '/api/members');
  return (
    <Box sx={{ maxWidth: 'lg', mx: 'auto' }}>
      <PageHeader title={t('overview.title')} description={t('overview.description')} />
      {error && !zones && <ErrorState title={t('failed')} error={error} onRetry={refetch} />}
      {!zones && !error && <CardsSkeleton cards={2} />}
      {zones?.length === 0 && <NoZones />}
      {zones && zones.length > 0 && (
        <VirtualItems
          count={zones.length}
          gap={16}
          height={320}
          keyOf={(index) => zones[index]!.zoneId}
          renderItem={(index) => <ZoneMembers zone={zones[index]!} />}
        />
      )}
    </Box>
  );
}

function NoZones() {
  const { t } = useTranslation('members');
  return (
    <Card>
      <EmptyState
        icon={<GroupRounded />}
        title={t('overview.emptyTitle')}
        text={t('overview.emptyText')}
        action={
          <Button component={Link} to="/zones" variant="contained" color="primary">
            {t('overview.toZones')}
          </Button>
        }
      />
    </Card>
  );
}
