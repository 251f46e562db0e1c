import GroupRounded from '@mui/icons-material/GroupRounded';
import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { $api } from '../../../shared/api/client';
import { ZoneCards } from '../../../shared/browse/zone-cards';
import { PageHeader } from '../../../shared/ui/page-header';
import { ZoneMembers } from './zone-members';

/** /members: who is in the zones that the person owns or helps with, a card for each zone. */
export function MembersOverviewPage() {
  const { t } = useTranslation('members');
  const list = $api.useQuery('get', '/api/members');
  const none = {
    icon: <GroupRounded />,
    title: t('overview.emptyTitle'),
    text: t('overview.emptyText'),
    action: t('overview.toZones'),
  };
  return (
    <Box sx={{ maxWidth: 'lg', mx: 'auto' }}>
      <PageHeader title={t('overview.title')} description={t('overview.description')} />
      <ZoneCards list={list} keyOf={({ zoneId }) => zoneId} failed={t('failed')} none={none}>
        {(zone) => <ZoneMembers zone={zone} />}
      </ZoneCards>
    </Box>
  );
}
