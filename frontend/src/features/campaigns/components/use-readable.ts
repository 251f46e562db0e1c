import { useTranslation } from 'react-i18next';
import { filledIn } from '../../../shared/format/merge-fields';

/** Makes a text with merge fields one that people read: the zone's name, a fall-back, or what stands there. */
export function useReadable() {
  const { t } = useTranslation('campaigns');
  return (text: string, zoneName = ''): string =>
    filledIn(text, (field, fallback) =>
      field === 'zone_name' && zoneName ? zoneName : fallback || `[${t(`merge.${field}`)}]`,
    );
}
