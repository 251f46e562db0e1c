import CampaignRounded from '@mui/icons-material/CampaignRounded';
import GroupAddRounded from '@mui/icons-material/GroupAddRounded';
import MarkEmailUnreadRounded from '@mui/icons-material/MarkEmailUnreadRounded';
import RemoveShoppingCartRounded from '@mui/icons-material/RemoveShoppingCartRounded';
import ShoppingCartRounded from '@mui/icons-material/ShoppingCartRounded';
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { $api, type Schema } from '../../shared/api/client';
import { replaceMergeFields } from '../../shared/format/merge-fields';
import { useFormat } from '../../shared/hooks/use-format';
import { useBillingEnabled } from '../../shared/site/use-billing-enabled';
import { ErrorState } from '../../shared/ui/error-state';
import { DashboardCard } from './panel';

type AttentionItem = Schema<'AttentionDto'>;

const iconByKind: Record<AttentionItem['kind'], typeof GroupAddRounded> = {
  join_requests: GroupAddRounded,
  waiting_orders: ShoppingCartRounded,
  failed_orders: RemoveShoppingCartRounded,
  failed_mails: MarkEmailUnreadRounded,
  failed_campaign: CampaignRounded,
  paused_campaign: CampaignRounded,
};

/** Returns the URL where the user can resolve the item. */
const pathOf = ({ kind, zoneId, campaignId }: AttentionItem, isBillingEnabled: boolean) =>
  kind === 'join_requests' || kind === 'failed_orders' || (kind === 'waiting_orders' && !isBillingEnabled)
    ? `/zones/${zoneId}/members`
    : kind === 'waiting_orders'
      ? '/pricing'
      : `/campaigns/${campaignId}`;

/** Items that need the owner's attention; empty if there are none. */
export function AttentionList() {
  const { t } = useTranslation('dashboard');
  const { data: items, error, refetch } = $api.useQuery('get', '/api/dashboard/attention');
  if (!error && !items?.length) return null;
  return (
    <Box sx={{ mt: 4 }}>
      <DashboardCard title={t('attention.title')}>
        {error && !items && <ErrorState title={t('errors.attention')} error={error} onRetry={refetch} />}
        <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {items?.map((item) => (
            <AttentionRow key={`${item.kind}-${item.zoneId}-${item.campaignId}`} item={item} />
          ))}
        </Box>
      </DashboardCard>
    </Box>
  );
}

/** A campaign named after its subject may contain merge fields, which must not be shown raw. */
const campaignNameOf = ({ campaignName, zoneName }: AttentionItem) =>
  campaignName &&
  replaceMergeFields(campaignName, (field, fallback) => (field === 'zone_name' ? zoneName : fallback || '…'));

function AttentionRow({ item }: { item: AttentionItem }) {
  const { t } = useTranslation('dashboard');
  const format = useFormat();
  const isBillingEnabled = useBillingEnabled();
  const Icon = iconByKind[item.kind];
  return (
    <Box component="li" sx={{ '& + &': { borderTop: 1, borderColor: 'divider' } }}>
      <ButtonBase
        component={Link}
        to={pathOf(item, isBillingEnabled)}
        sx={{
          display: 'flex',
          justifyContent: 'flex-start',
          gap: 3,
          width: '100%',
          px: 4,
          py: 3,
          textAlign: 'left',
          '&:hover': { bgcolor: 'hover' },
          '&:focus-visible': { outlineOffset: -2 },
        }}
      >
        <Icon sx={{ color: item.kind === 'join_requests' ? 'text.secondary' : 'warning.main' }} />
        <Box sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
          <Typography variant="subtitle2">
            {t(`attention.${item.kind}`, { count: item.count, formatted: format.number(item.count) })}
          </Typography>
          <Typography variant="body2" color="textSecondary">
            {[campaignNameOf(item), item.zoneName].filter(Boolean).join(' · ')}
          </Typography>
        </Box>
      </ButtonBase>
    </Box>
  );
}
