import { useTranslation } from 'react-i18next';
import { replaceMergeFields } from '../../../shared/format/merge-fields';

/** Makes a text with merge fields one that people read: the zone's name, a fall-back, or what stands there. */
export function useRenderMergeFields() {
  const { t } = useTranslation('campaigns');
  return (text: string, zoneName = ''): string =>
    replaceMergeFields(text, (field, fallback) =>
      field === 'zone_name' && zoneName ? zoneName : fallback || `[${t(`merge.${field}`)}]`,
    );
}
