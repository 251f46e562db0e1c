import GroupRounded from '@mui/icons-material/GroupRounded';
import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { $api } from '../../../shared/api/client';
import { ZoneCards } from '../../../shared/browse/zone-cards';
import { PageHeader } from '../../../shared/ui/page-header';
import { ZoneMembersCard } from './zone-members-card';

/** /members: the members of the zones that the user owns or helps to manage, one card for each zone. */
export function MembersOverviewPage() {
  const { t } = useTranslation('members');
  const list = $api.useQuery('get', '/api/members');
  const emptyState = {
    icon: <GroupRounded />,
    title: t('overview.emptyTitle'),
    text: t('overview.emptyText'),
    action: t('overview.toZones'),
  };
  return (
    <Box sx={{ maxWidth: 'lg', mx: 'auto' }}>
      <PageHeader title={t('overview.title')} description={t('overview.description')} />
      <ZoneCards query={list} getKey={({ zoneId }) => zoneId} errorTitle={t('failed')} emptyState={emptyState}>
        {(zone) => <ZoneMembersCard zone={zone} />}
      </ZoneCards>
    </Box>
  );
}
