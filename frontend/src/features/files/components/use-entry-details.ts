import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';
import type { Entry } from '../entries';

/** Returns the size of a file or the number of entries in a folder, and the date it was added. */
export function useEntryDetails(entry: Entry): { size: string; added: string } {
  const { t } = useTranslation('files');
  const format = useFormat();
  if (entry.kind === 'file') {
    return { size: format.size(entry.file.size), added: format.date(entry.file.createdAt) };
  }
  const count = entry.folder.fileCount + entry.folder.folderCount;
  return { size: t('items', { count, formatted: format.number(count) }), added: format.date(entry.folder.createdAt) };
}
