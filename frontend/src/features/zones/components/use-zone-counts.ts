import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';
import type { Zone } from '../sort-zones';

/** Returns "3 folders", "12 files" and "40 members" of a zone, in the current language. */
export function useZoneCounts(zone: Zone): string[] {
  const { t } = useTranslation('zones');
  const format = useFormat();
  const countOptions = (value: number) => ({ count: value, formatted: format.number(value) });
  return [
    t('counts.folders', countOptions(zone.folderCount)),
    t('counts.files', countOptions(zone.fileCount)),
    t('counts.members', countOptions(zone.memberCount)),
  ];
}
