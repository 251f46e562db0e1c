import AddRounded from '@mui/icons-material/AddRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useCurrentUser } from '../../shared/api/current-user';
import { displayNameOf } from '../../shared/format/person';
import { PlanNotices } from '../../shared/plan/plan-notices';
import { PageHeader } from '../../shared/ui/page-header';
import { AttentionList } from './attention-list';
import { StatCards } from './stat-cards';
import { QuickActions } from './quick-actions';
import { RecentActivity } from './recent-activity';
import { RecentZones } from './recent-zones';
import { SetupNotice } from './setup-notice';
import { useIsDashboardLoaded } from './use-is-dashboard-loaded';
import { CardsSkeleton } from '../../shared/ui/skeletons';
import { OnboardingChecklist } from './onboarding/onboarding-checklist';

interface Props {
  /** The quick action to invite people. */
  inviteAction?: ReactNode;
}

/** Start page of signed-in users: figures, recent zones and activity. */
export function DashboardPage({ inviteAction }: Props) {
  const { t } = useTranslation('dashboard');
  const { data: user } = useCurrentUser();
  const isLoaded = useIsDashboardLoaded();
  return (
    <Box sx={{ maxWidth: 'lg', mx: 'auto' }}>
      <PageHeader
        title={t('title')}
        description={user && t('description', { name: user.firstName || displayNameOf(user) })}
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
      {!isLoaded && <CardsSkeleton cards={4} />}
      {/* Mounted already, so that each part requests its data, and each request is sent only once. */}
      <Box hidden={!isLoaded}>
        <SetupNotice />
        <PlanNotices />
        <OnboardingChecklist />
        <StatCards hideWhenEmpty />
        <AttentionList />
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
