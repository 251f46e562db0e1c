import AddRounded from '@mui/icons-material/AddRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCurrentUser } from '../../shared/api/current-user';
import { nameOf } from '../../shared/format/person';
import { PlanNotices } from '../../shared/plan/plan-notices';
import { PageHeader } from '../../shared/ui/page-header';
import { Attention } from './attention';
import { Figures } from './figures';
import { QuickActions } from './quick-actions';
import { RecentActivity } from './recent-activity';
import { RecentZones } from './recent-zones';
import { SetupNotice } from './setup-notice';
import { useIsSettled } from './use-is-settled';
import { CardsSkeleton } from '../../shared/ui/skeletons';
import { StartList } from './start/start-list';

interface Props {
  /** The quick action that invites people. */
  inviteAction?: ReactNode;
}

/** What one sees first when signed in: how things stand, where one was, what happened. */
export function DashboardPage({ inviteAction }: Props) {
  const { t } = useTranslation('dashboard');
  const { data: user } = useCurrentUser();
  const isSettled = useIsSettled();
  return (
    <Box sx={{ maxWidth: 'lg', mx: 'auto' }}>
      <PageHeader
        title={t('title')}
        description={user && t('description', { name: user.firstName || nameOf(user) })}
        actions={
          <Button
            component={Link}
            to="/zones?create=zone"
            variant="contained"
            color="primary"
            startIcon={<AddRounded />}
          >
            {t('createZone')}
          </Button>
        }
      />
      {!isSettled && <CardsSkeleton cards={4} />}
      {/* There already, so that each part asks for what it shows, and each answer is asked for once. */}
      <Box hidden={!isSettled}>
        <SetupNotice />
        <PlanNotices />
        <StartList />
        <Figures hideWhileEmpty />
        <Attention />
        <Box
          sx={{
            display: 'grid',
            alignItems: 'start',
            gap: 4,
            mt: 4,
            gridTemplateColumns: { xs: 'minmax(0, 1fr)', lg: 'minmax(0, 3fr) minmax(0, 2fr)' },
          }}
        >
          <RecentZones />
          <Box sx={{ display: 'grid', gap: 4 }}>
            <QuickActions inviteAction={inviteAction} />
            <RecentActivity />
          </Box>
        </Box>
      </Box>
    </Box>
  );
}
