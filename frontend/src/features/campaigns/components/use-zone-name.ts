import { useTranslation } from 'react-i18next';
import type { CampaignSummary } from '../api/use-campaigns';

/** The name of a campaign's zone, with a word about one that is gone. */
export function useZoneName({ zoneName, isZoneDeleted }: Pick<CampaignSummary, 'zoneName' | 'isZoneDeleted'>): string {
  const { t } = useTranslation('campaigns');
  return isZoneDeleted ? t('zoneDeleted', { zone: zoneName }) : zoneName;
}
