import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog';
import type { TrashEntry } from './use-trash';

interface Props {
  /** The entries to delete permanently; null closes the dialog. */
  target: readonly TrashEntry[] | 'all' | null;
  /** Number of entries in the whole trash. */
  total: number;
  isPurging: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks for confirmation before permanent deletion. */
export function PurgeDialog({ target, total, isPurging, onConfirm, onClose }: Props) {
  const { t } = useTranslation('files');
  const format = useFormat();
  const entries = target === null || target === 'all' ? [] : target;
  const [singleEntry] = entries.length === 1 ? entries : [];
  const count = target === 'all' ? total : entries.length;
  const formatted = format.number(count);
  const title = singleEntry ? t('trash.askOne', { name: singleEntry.name }) : t('trash.ask', { count, formatted });
  const includesFolders = target === 'all' || entries.some(({ kind }) => kind === 'folder');
  return (
    <ConfirmDialog
      open={target !== null}
      title={target === 'all' ? t('trash.askAll', { count, formatted }) : title}
      confirmLabel={target === 'all' ? t('trash.empty') : t('trash.purge')}
      isPending={isPurging}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      {includesFolders && `${t('trash.withFiles')} `}
      {t('trash.forever')}
    </ConfirmDialog>
  );
}
