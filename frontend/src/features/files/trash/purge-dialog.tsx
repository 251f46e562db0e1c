import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';
import { ConfirmDialog } from '../../../shared/ui/confirm-dialog';
import type { TrashEntry } from './use-trash';

interface Props {
  /** What is to be removed for good; null asks nothing. */
  what: readonly TrashEntry[] | 'all' | null;
  /** Entries of the whole trash. */
  total: number;
  busy: boolean;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before something is removed for good. */
export function PurgeDialog({ what, total, busy, onConfirm, onClose }: Props) {
  const { t } = useTranslation('files');
  const format = useFormat();
  const entries = what === null || what === 'all' ? [] : what;
  const [only] = entries.length === 1 ? entries : [];
  const count = what === 'all' ? total : entries.length;
  const formatted = format.number(count);
  const title = only ? t('trash.askOne', { name: only.name }) : t('trash.ask', { count, formatted });
  const holdsFiles = what === 'all' || entries.some(({ kind }) => kind === 'folder');
  return (
    <ConfirmDialog
      open={what !== null}
      title={what === 'all' ? t('trash.askAll', { count, formatted }) : title}
      confirmLabel={what === 'all' ? t('trash.empty') : t('trash.purge')}
      busy={busy}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      {holdsFiles && `${t('trash.withFiles')} `}
      {t('trash.forever')}
    </ConfirmDialog>
  );
}
