import { useTranslation } from 'react-i18next';
import type { CampaignSummary } from '../api/use-campaigns';

/** Returns the name of a campaign's zone, marked if the zone was deleted. */
export function useZoneName({ zoneName, isZoneDeleted }: Pick<CampaignSummary, 'zoneName' | 'isZoneDeleted'>): string {
  const { t } = useTranslation('campaigns');
  return isZoneDeleted ? t('zoneDeleted', { zone: zoneName }) : zoneName;
}
