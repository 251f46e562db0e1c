import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import type { CampaignSummary } from '../api/use-campaigns';
import { NativeSelect } from './native-select';
import { displayStatusOf, displayStatuses, type DisplayStatus } from './display-status';

interface CampaignFilter {
  /** ID of a zone; empty for all. */
  zone: string;
  status: DisplayStatus | '';
}

interface Props {
  campaigns: readonly CampaignSummary[];
  filter: CampaignFilter;
  onZoneChange: (zone: string) => void;
  onStatusChange: (status: DisplayStatus | '') => void;
}

/** Filters of the campaign list; only offers zones and states that occur in it. */
export function CampaignFilters({ campaigns, filter, onZoneChange, onStatusChange }: Props) {
  const { t } = useTranslation('campaigns');
  const zones = [...new Map(campaigns.map(({ zoneId, zoneName }) => [zoneId, zoneName]))];
  const availableStatuses = displayStatuses.filter((displayStatus) =>
    campaigns.some((campaign) => displayStatusOf(campaign) === displayStatus),
  );
  return (
    <Box sx={{ display: 'grid', gap: 4, mb: 4, gridTemplateColumns: { xs: '1fr 1fr', sm: '220px 220px' } }}>
      <NativeSelect label={t('filter.zone')} value={filter.zone} onChange={onZoneChange}>
        <option value="">{t('filter.allZones')}</option>
        {zones.map(([id, name]) => (
          <option key={id} value={String(id)}>
            {name}
          </option>
        ))}
      </NativeSelect>
      <NativeSelect
        label={t('filter.status')}
        value={filter.status}
        onChange={(status) => onStatusChange(status as DisplayStatus | '')}
      >
        <option value="">{t('filter.allStatuses')}</option>
        {availableStatuses.map((status) => (
          <option key={status} value={status}>
            {t(`status.${status}`)}
          </option>
        ))}
      </NativeSelect>
    </Box>
  );
}

/** Returns the campaigns that match the filter. */
export function filterCampaigns(
  campaigns: readonly CampaignSummary[],
  { zone, status }: CampaignFilter,
): CampaignSummary[] {
  return campaigns.filter(
    (campaign) => (!zone || String(campaign.zoneId) === zone) && (!status || displayStatusOf(campaign) === status),
  );
}
