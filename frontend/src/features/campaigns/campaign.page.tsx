import MailOutlineRounded from '@mui/icons-material/MailOutlineRounded';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useParams } from 'react-router';
import { ApiError } from '../../shared/api/api-error';
import { toId } from '../../shared/api/use-zone';
import { useTitle } from '../../shared/hooks/use-title';
import { EmptyState } from '../../shared/ui/empty-state';
import { ErrorState } from '../../shared/ui/error-state';
import { RowsSkeleton } from '../../shared/ui/skeletons';
import { useCampaign } from './api/use-campaigns';
import { Composer } from './composer/composer';
import { CampaignReport } from './report/campaign-report';

/** /campaigns/new and /campaigns/{id}: a draft is written here, and in the same place what came of it is seen. */
export function CampaignPage() {
  const { t } = useTranslation('campaigns');
  const { campaignId } = useParams();
  const { key: at, state } = useLocation();
  const isNew = campaignId === 'new';
  const id = toId(campaignId);
  const { data: campaign, error, refetch } = useCampaign(id, !isNew && !Number.isNaN(id));
  // A new draft that gets its address goes on being written; its page does not begin anew.
  const carried = (state as { composing?: string } | null)?.composing;
  const composing = isNew ? `new-${at}` : (carried ?? `draft-${id}`);
  if (isNew) return <Composer key={composing} campaign={null} composing={composing} />;
  if (Number.isNaN(id) || (error instanceof ApiError && error.status === 404)) return <NotFound />;
  if (!campaign && error) return <ErrorState title={t('compose.failed')} error={error} onRetry={refetch} />;
  if (!campaign) return <RowsSkeleton />;
  if (!campaign.can.edit) return <CampaignReport campaign={campaign} />;
  return <Composer key={composing} campaign={campaign} composing={composing} />;
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
