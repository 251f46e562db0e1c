import MailOutlineRounded from '@mui/icons-material/MailOutlineRounded';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useParams, useSearchParams } from 'react-router';
import { ApiError } from '../../shared/api/api-error';
import { $api } from '../../shared/api/client';
import { parseId } from '../../shared/api/use-zone';
import { useTitle } from '../../shared/hooks/use-title';
import { EmptyState } from '../../shared/ui/empty-state';
import { ErrorState } from '../../shared/ui/error-state';
import { RowsSkeleton } from '../../shared/ui/skeletons';
import { useCampaign } from './api/use-campaigns';
import { Composer } from './composer/composer';
import { CreateFirstZone } from './composer/create-first-zone';
import { CampaignReport } from './report/campaign-report';

/** /campaigns/new and /campaigns/{id}: the composer of a draft, or the report of a campaign that was sent. */
export function CampaignPage() {
  const { t } = useTranslation('campaigns');
  const { campaignId } = useParams();
  const { key: locationKey, state } = useLocation();
  const isNew = campaignId === 'new';
  const id = parseId(campaignId);
  const { data: campaign, error, refetch } = useCampaign(id, !isNew && !Number.isNaN(id));
  const firstStep = useFirstStep(isNew, locationKey);
  // When a new draft gets its URL, the composer keeps its state instead of remounting.
  const carriedSessionKey = (state as { composing?: string } | null)?.composing;
  const sessionKey = isNew ? `new-${locationKey}` : (carriedSessionKey ?? `draft-${id}`);
  if (isNew && firstStep === 'unknown') return <RowsSkeleton />;
  if (isNew && firstStep === 'zone') return <CreateFirstZone key={sessionKey} />;
  if (isNew) return <Composer key={sessionKey} campaign={null} sessionKey={sessionKey} />;
  if (Number.isNaN(id) || (error instanceof ApiError && error.status === 404)) return <NotFound />;
  if (!campaign && error) return <ErrorState title={t('compose.failed')} error={error} onRetry={refetch} />;
  if (!campaign) return <RowsSkeleton />;
  if (!campaign.can.edit) return <CampaignReport campaign={campaign} />;
  return <Composer key={sessionKey} campaign={campaign} sessionKey={sessionKey} />;
}

/**
 * Without a zone there are no recipients, so creating one is the first step. It stays until it leads to the campaign.
 */
function useFirstStep(isNew: boolean, locationKey: string): 'zone' | 'campaign' | 'unknown' {
  const [query] = useSearchParams();
  const needsZoneCheck = isNew && !query.get('zone');
  const { data: zones, error } = $api.useQuery('get', '/api/zones', undefined, { enabled: needsZoneCheck });
  const [zonelessLocationKey, setZonelessLocationKey] = useState<string | null>(null);
  if (needsZoneCheck && zones?.length === 0 && zonelessLocationKey !== locationKey) setZonelessLocationKey(locationKey);
  if (!needsZoneCheck) return 'campaign';
  if (zones?.length === 0 || zonelessLocationKey === locationKey) return 'zone';
  return zones || error ? 'campaign' : 'unknown';
}

function NotFound() {
  const { t } = useTranslation('campaigns');
  useTitle(t('compose.notFound'));
  return (
    <EmptyState
      icon={<MailOutlineRounded />}
      title={t('compose.notFound')}
      text={t('compose.notFoundText')}
      action={
        <Button component={Link} to="/campaigns">
          {t('compose.back')}
        </Button>
      }
    />
  );
}
