import CloseRounded from '@mui/icons-material/CloseRounded';
import DeleteForeverRounded from '@mui/icons-material/DeleteForeverRounded';
import RestoreFromTrashRounded from '@mui/icons-material/RestoreFromTrashRounded';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { SelectionBarLayout } from '../selection/selection-bar-layout';
import type { TrashEntry } from './use-trash';

interface Props {
  selectedEntries: readonly TrashEntry[];
  onRestore: (entries: readonly TrashEntry[]) => void;
  /** Undefined for people who can't delete permanently. */
  onPurge?: (entries: readonly TrashEntry[]) => void;
  onCancel: () => void;
}

/** Actions for all selected entries in the trash. */
export function TrashBar({ selectedEntries, onRestore, onPurge, onCancel }: Props) {
  const { t } = useTranslation('files');
  const { t: tCommon } = useTranslation();
  return (
    <SelectionBarLayout count={selectedEntries.length}>
      <Button variant="text" startIcon={<RestoreFromTrashRounded />} onClick={() => onRestore(selectedEntries)}>
        {t('trash.restore')}
      </Button>
      {onPurge && (
        <Button
          variant="text"
          color="error"
          startIcon={<DeleteForeverRounded />}
          onClick={() => onPurge(selectedEntries)}
        >
          {t('trash.purge')}
        </Button>
      )}
      <Button variant="text" startIcon={<CloseRounded />} onClick={onCancel}>
        {tCommon('actions.cancel')}
      </Button>
    </SelectionBarLayout>
  );
}
