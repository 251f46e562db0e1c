import MailOutlineRounded from '@mui/icons-material/MailOutlineRounded';
import Button from '@mui/material/Button';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useParams, useSearchParams } from 'react-router';
import { ApiError } from '../../shared/api/api-error';
import { $api } from '../../shared/api/client';
import { toId } from '../../shared/api/use-zone';
import { useTitle } from '../../shared/hooks/use-title';
import { EmptyState } from '../../shared/ui/empty-state';
import { ErrorState } from '../../shared/ui/error-state';
import { RowsSkeleton } from '../../shared/ui/skeletons';
import { useCampaign } from './api/use-campaigns';
import { Composer } from './composer/composer';
import { FirstZone } from './composer/first-zone';
import { CampaignReport } from './report/campaign-report';

/** /campaigns/new and /campaigns/{id}: a draft is written here, and in the same place what came of it is seen. */
export function CampaignPage() {
  const { t } = useTranslation('campaigns');
  const { campaignId } = useParams();
  const { key: at, state } = useLocation();
  const isNew = campaignId === 'new';
  const id = toId(campaignId);
  const { data: campaign, error, refetch } = useCampaign(id, !isNew && !Number.isNaN(id));
  const first = useWhatComesFirst(isNew, at);
  // A new draft that gets its address goes on being written; its page does not begin anew.
  const carried = (state as { composing?: string } | null)?.composing;
  const composing = isNew ? `new-${at}` : (carried ?? `draft-${id}`);
  if (isNew && first === 'unknown') return <RowsSkeleton />;
  if (isNew && first === 'zone') return <FirstZone key={composing} />;
  if (isNew) return <Composer key={composing} campaign={null} composing={composing} />;
  if (Number.isNaN(id) || (error instanceof ApiError && error.status === 404)) return <NotFound />;
  if (!campaign && error) return <ErrorState title={t('compose.failed')} error={error} onRetry={refetch} />;
  if (!campaign) return <RowsSkeleton />;
  if (!campaign.can.edit) return <CampaignReport campaign={campaign} />;
  return <Composer key={composing} campaign={campaign} composing={composing} />;
}

/** Without a zone nobody could be written to, so making one comes first, and stays until it leads on to the campaign. */
function useWhatComesFirst(isNew: boolean, at: string): 'zone' | 'campaign' | 'unknown' {
  const [query] = useSearchParams();
  const asks = isNew && !query.get('zone');
  const { data: zones, error } = $api.useQuery('get', '/api/zones', undefined, { enabled: asks });
  const [without, setWithout] = useState<string | null>(null);
  if (asks && zones?.length === 0 && without !== at) setWithout(at);
  if (!asks) return 'campaign';
  if (zones?.length === 0 || without === at) return 'zone';
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
