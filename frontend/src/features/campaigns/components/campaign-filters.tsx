import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import type { CampaignSummary } from '../api/use-campaigns';
import { Choice } from './choice';
import { standingOf, standings } from './standing';

export interface Filter {
  /** Id of a zone; empty for all. */
  zone: string;
  status: string;
}

interface Props {
  campaigns: readonly CampaignSummary[];
  filter: Filter;
  onChange: (filter: Filter) => void;
}

/** Which campaigns of the list are shown: only zones and states that there are can be chosen. */
export function CampaignFilters({ campaigns, filter, onChange }: Props) {
  const { t } = useTranslation('campaigns');
  const zones = [...new Map(campaigns.map(({ zoneId, zoneName }) => [zoneId, zoneName]))];
  const present = standings.filter((standing) => campaigns.some((one) => standingOf(one) === standing));
  return (
    <Box sx={{ display: 'grid', gap: 4, mb: 4, gridTemplateColumns: { xs: '1fr 1fr', sm: '220px 220px' } }}>
      <Choice label={t('filter.zone')} value={filter.zone} onChange={(zone) => onChange({ ...filter, zone })}>
        <option value="">{t('filter.allZones')}</option>
        {zones.map(([id, name]) => (
          <option key={id} value={String(id)}>
            {name}
          </option>
        ))}
      </Choice>
      <Choice label={t('filter.status')} value={filter.status} onChange={(status) => onChange({ ...filter, status })}>
        <option value="">{t('filter.allStatuses')}</option>
        {present.map((status) => (
          <option key={status} value={status}>
            {t(`status.${status}`)}
          </option>
        ))}
      </Choice>
    </Box>
  );
}

/** The campaigns that the filter lets through. */
export function filtered(campaigns: readonly CampaignSummary[], { zone, status }: Filter): CampaignSummary[] {
  return campaigns.filter((one) => (!zone || String(one.zoneId) === zone) && (!status || standingOf(one) === status));
}
