import AddRounded from '@mui/icons-material/AddRounded';
import CampaignRounded from '@mui/icons-material/CampaignRounded';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { useUrlChoice } from '../../shared/browse/use-url-choice';
import { EmptyState } from '../../shared/ui/empty-state';
import { ErrorState } from '../../shared/ui/error-state';
import { PageHeader } from '../../shared/ui/page-header';
import { RowsSkeleton } from '../../shared/ui/skeletons';
import { useCampaigns, type CampaignSummary } from './api/use-campaigns';
import { CampaignFilters, filterCampaigns } from './components/campaign-filters';
import { CampaignTable } from './components/campaign-table';
import { displayStatuses, type DisplayStatus } from './components/display-status';
import { QuotaCard } from './components/quota-card';

/** /campaigns: the campaigns of all zones of the user. */
export function CampaignsPage() {
  const { t } = useTranslation('campaigns');
  const { data: campaigns, error, refetch } = useCampaigns();
  return (
    <Box sx={{ maxWidth: 'lg', mx: 'auto' }}>
      <PageHeader
        title={t('title')}
        description={t('description')}
        actions={
          <Button component={Link} to="/campaigns/new" variant="contained" color="primary" startIcon={<AddRounded />}>
            {t('create')}
          </Button>
        }
      />
      <QuotaCard />
      {error && !campaigns && <ErrorState title={t('failed')} error={error} onRetry={refetch} />}
      {!campaigns && !error && <RowsSkeleton />}
      {campaigns?.length === 0 && <NoCampaigns />}
      {campaigns && campaigns.length > 0 && <CampaignList campaigns={campaigns} />}
    </Box>
  );
}

function CampaignList({ campaigns }: { campaigns: readonly CampaignSummary[] }) {
  const { t } = useTranslation('campaigns');
  const zoneIds = campaigns.map(({ zoneId }) => String(zoneId));
  const [zone, setZone] = useUrlChoice('zone', ['', ...zoneIds], '');
  const [status, setStatus] = useUrlChoice<DisplayStatus | ''>('status', ['', ...displayStatuses], '');
  const visibleCampaigns = filterCampaigns(campaigns, { zone, status });
  return (
    <>
      <CampaignFilters
        campaigns={campaigns}
        filter={{ zone, status }}
        onZoneChange={setZone}
        onStatusChange={setStatus}
      />
      {visibleCampaigns.length > 0 ? (
        <CampaignTable campaigns={visibleCampaigns} />
      ) : (
        <Typography role="status" color="textSecondary">
          {t('noMatch')}
        </Typography>
      )}
    </>
  );
}

function NoCampaigns() {
  const { t } = useTranslation('campaigns');
  return (
    <Card>
      <EmptyState
        icon={<CampaignRounded />}
        title={t('empty.title')}
        text={t('empty.text')}
        action={
          <Button component={Link} to="/campaigns/new">
            {t('create')}
          </Button>
        }
      />
    </Card>
  );
}
