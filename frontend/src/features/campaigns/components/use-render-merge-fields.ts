import { useTranslation } from 'react-i18next';
import { replaceMergeFields } from '../../../shared/format/merge-fields';

/**
 * Returns a function that replaces merge fields with readable text: the zone's name, the fallback text, or the field's
 * label.
 */
export function useRenderMergeFields() {
  const { t } = useTranslation('campaigns');
  return (text: string, zoneName = ''): string =>
    replaceMergeFields(text, (field, fallback) =>
      field === 'zone_name' && zoneName ? zoneName : fallback || `[${t(`merge.${field}`)}]`,
    );
}
