import CloseRounded from '@mui/icons-material/CloseRounded';
import DeleteForeverRounded from '@mui/icons-material/DeleteForeverRounded';
import RestoreFromTrashRounded from '@mui/icons-material/RestoreFromTrashRounded';
import { useTranslation } from 'react-i18next';
import { SelectionAction } from '../selection/selection-action';
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
      <SelectionAction
        icon={<RestoreFromTrashRounded />}
        label={t('trash.restore')}
        onClick={() => onRestore(selectedEntries)}
      />
      {onPurge && (
        <SelectionAction
          icon={<DeleteForeverRounded />}
          label={t('trash.purge')}
          isDestructive
          onClick={() => onPurge(selectedEntries)}
        />
      )}
      <SelectionAction icon={<CloseRounded />} label={tCommon('actions.cancel')} onClick={onCancel} />
    </SelectionBarLayout>
  );
}
