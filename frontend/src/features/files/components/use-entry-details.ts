import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';
import type { Entry } from '../entries';

/** Returns the size of a file or the number of entries in a folder, and when it was added or last replaced. */
export function useEntryDetails(entry: Entry): { size: string; added: string } {
  const { t } = useTranslation('files');
  const format = useFormat();
  if (entry.kind === 'file') {
    const { size, version, createdAt, contentUpdatedAt } = entry.file;
    const added = version > 1 ? t('updatedOn', { date: format.date(contentUpdatedAt) }) : format.date(createdAt);
    return { size: format.size(size), added };
  }
  const count = entry.folder.fileCount + entry.folder.folderCount;
  return { size: t('items', { count, formatted: format.number(count) }), added: format.date(entry.folder.createdAt) };
}
