import CloseRounded from '@mui/icons-material/CloseRounded';
import DeleteForeverRounded from '@mui/icons-material/DeleteForeverRounded';
import RestoreFromTrashRounded from '@mui/icons-material/RestoreFromTrashRounded';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { BarFrame } from '../selection/bar-frame';
import type { TrashEntry } from './use-trash';

interface Props {
  chosen: readonly TrashEntry[];
  onRestore: (chosen: readonly TrashEntry[]) => void;
  /** Left out for who may not remove things for good. */
  onPurge?: (chosen: readonly TrashEntry[]) => void;
  onCancel: () => void;
}

/** What can be done with all that is chosen in the trash. */
export function TrashBar({ chosen, onRestore, onPurge, onCancel }: Props) {
  const { t } = useTranslation('files');
  const { t: common } = useTranslation();
  return (
    <BarFrame count={chosen.length}>
      <Button variant="text" startIcon={<RestoreFromTrashRounded />} onClick={() => onRestore(chosen)}>
        {t('trash.restore')}
      </Button>
      {onPurge && (
        <Button variant="text" color="error" startIcon={<DeleteForeverRounded />} onClick={() => onPurge(chosen)}>
          {t('trash.purge')}
        </Button>
      )}
      <Button variant="text" startIcon={<CloseRounded />} onClick={onCancel}>
        {common('actions.cancel')}
      </Button>
    </BarFrame>
  );
}
