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
import { filledIn } from '../../shared/format/merge-fields';
import { useFormat } from '../../shared/hooks/use-format';
import { useSells } from '../../shared/site/use-sells';
import { ErrorState } from '../../shared/ui/error-state';
import { Panel } from './panel';

type Waiting = Schema<'AttentionDto'>;

const icons: Record<Waiting['kind'], typeof GroupAddRounded> = {
  join_requests: GroupAddRounded,
  waiting_orders: ShoppingCartRounded,
  failed_orders: RemoveShoppingCartRounded,
  failed_mails: MarkEmailUnreadRounded,
  failed_campaign: CampaignRounded,
  paused_campaign: CampaignRounded,
};

/** Where one does something about it. */
const addressOf = ({ kind, zoneId, campaignId }: Waiting, sells: boolean) =>
  kind === 'join_requests' || kind === 'failed_orders' || (kind === 'waiting_orders' && !sells)
    ? `/zones/${zoneId}/members`
    : kind === 'waiting_orders'
      ? '/pricing'
      : `/campaigns/${campaignId}`;

/** What waits for the owner; nothing at all when nothing does. */
export function Attention() {
  const { t } = useTranslation('dashboard');
  const { data: items, error, refetch } = $api.useQuery('get', '/api/dashboard/attention');
  if (!error && !items?.length) return null;
  return (
    <Box sx={{ mt: 4 }}>
      <Panel title={t('attention.title')}>
        {error && !items && <ErrorState title={t('errors.attention')} error={error} onRetry={refetch} />}
        <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
          {items?.map((item) => (
            <Item key={`${item.kind}-${item.zoneId}-${item.campaignId}`} item={item} />
          ))}
        </Box>
      </Panel>
    </Box>
  );
}

/** A campaign that is named by its subject may hold merge fields; nobody reads those. */
const nameOf = ({ campaignName, zoneName }: Waiting) =>
  campaignName && filledIn(campaignName, (field, fallback) => (field === 'zone_name' ? zoneName : fallback || '…'));

function Item({ item }: { item: Waiting }) {
  const { t } = useTranslation('dashboard');
  const format = useFormat();
  const sells = useSells();
  const Icon = icons[item.kind];
  return (
    <Box component="li" sx={{ '& + &': { borderTop: 1, borderColor: 'divider' } }}>
      <ButtonBase
        component={Link}
        to={addressOf(item, sells)}
        sx={{
          ...{ display: 'flex', justifyContent: 'flex-start', gap: 3, width: '100%', px: 4, py: 3, textAlign: 'left' },
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
            {[nameOf(item), item.zoneName].filter(Boolean).join(' · ')}
          </Typography>
        </Box>
      </ButtonBase>
    </Box>
  );
}
