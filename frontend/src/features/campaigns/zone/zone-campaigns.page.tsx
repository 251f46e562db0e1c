import EditRounded from '@mui/icons-material/EditRounded';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Link, Navigate, useParams } from 'react-router';
import { parseId, useZone } from '../../../shared/api/use-zone';
import { ErrorState } from '../../../shared/ui/error-state';
import { SectionCard } from '../../../shared/ui/section-card';
import { RowsSkeleton } from '../../../shared/ui/skeletons';
import { useZoneCampaigns } from '../api/use-campaigns';
import { CampaignTable } from '../components/campaign-table';
import { QuotaCard } from '../components/quota-card';
import { SenderCard } from './sender-card';
import { SuppressedMembersCard } from './suppressed-card';
import { WelcomeEmailCard } from './welcome-card';

/** /zones/{id}/campaigns: the campaigns and sender settings of a zone, for its owner. */
export function ZoneCampaignsPage() {
  const id = parseId(useParams().zoneId);
  const { data: zone } = useZone(id);
  if (!zone) return <RowsSkeleton />;
  if (!zone.can.sendCampaigns) return <Navigate to={`/zones/${id}`} replace />;
  return (
    <Stack spacing={4}>
      <ZoneCampaigns zoneId={id} />
      <WelcomeEmailCard zoneId={id} zoneName={zone.name} />
      <SenderCard zoneId={id} />
      <SuppressedMembersCard zoneId={id} />
    </Stack>
  );
}

function ZoneCampaigns({ zoneId }: { zoneId: number }) {
  const { t } = useTranslation('campaigns');
  const { data: campaigns, error, refetch } = useZoneCampaigns(zoneId);
  return (
    <SectionCard
      title={t('zoneTab.title')}
      text={t('zoneTab.text')}
      action={
        <Button
          component={Link}
          to={`/campaigns/new?zone=${zoneId}`}
          variant="contained"
          color="primary"
          startIcon={<EditRounded />}
        >
          {t('zoneTab.write')}
        </Button>
      }
    >
      <QuotaCard />
      {error && !campaigns && <ErrorState title={t('failed')} error={error} onRetry={refetch} />}
      {!campaigns && !error && <RowsSkeleton rows={2} />}
      {campaigns?.length === 0 && <Typography color="textSecondary">{t('zoneTab.empty')}</Typography>}
      {campaigns && campaigns.length > 0 && <CampaignTable campaigns={campaigns} />}
    </SectionCard>
  );
}
