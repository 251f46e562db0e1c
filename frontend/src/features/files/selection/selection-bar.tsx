import CloseRounded from '@mui/icons-material/CloseRounded';
import DeleteRounded from '@mui/icons-material/DeleteRounded';
import DownloadRounded from '@mui/icons-material/DownloadRounded';
import DriveFileMoveRounded from '@mui/icons-material/DriveFileMoveRounded';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';
import { isDownloadable } from '../downloads/use-download';
import { abilitiesOf, isReadOnly, type Entry } from '../entries';
import { SelectionBarLayout } from './selection-bar-layout';

interface Props {
  selectedEntries: readonly Entry[];
  /** Total number of entries while all of them are being loaded to be selected. Until then the actions are disabled. */
  selectAllTotal?: number;
  /** Opens the move dialog. */
  onMove: (entries: readonly Entry[]) => void;
  onDownload: (entries: readonly Entry[]) => void;
  /** Undefined for people who can't change anything. */
  onDelete?: (entries: readonly Entry[]) => void;
  onCancel: () => void;
}

/** Replaces the toolbar during a selection and offers actions for all selected entries. */
export function SelectionBar({ selectedEntries, selectAllTotal, onMove, onDownload, onDelete, onCancel }: Props) {
  const { t } = useTranslation('files');
  const { t: tCommon } = useTranslation();
  const format = useFormat();
  const canDelete = selectedEntries.some((entry) => abilitiesOf(entry).delete || isReadOnly(entry));
  const note =
    selectAllTotal === undefined
      ? undefined
      : t('selection.gathering', {
          loaded: format.number(selectedEntries.length),
          total: format.number(selectAllTotal),
        });
  const isLoadingAll = selectAllTotal !== undefined;
  return (
    <SelectionBarLayout count={selectedEntries.length} note={note}>
      {selectedEntries.some(isDownloadable) && (
        <Button
          variant="text"
          disabled={isLoadingAll}
          startIcon={<DownloadRounded />}
          onClick={() => onDownload(selectedEntries)}
        >
          {t('actions.download')}
        </Button>
      )}
      {selectedEntries.some((entry) => abilitiesOf(entry).move) && (
        <Button
          variant="text"
          disabled={isLoadingAll}
          startIcon={<DriveFileMoveRounded />}
          onClick={() => onMove(selectedEntries)}
        >
          {t('actions.move')}
        </Button>
      )}
      {onDelete && canDelete && (
        <Button
          variant="text"
          color="error"
          disabled={isLoadingAll}
          startIcon={<DeleteRounded />}
          onClick={() => onDelete(selectedEntries)}
        >
          {t('actions.delete')}
        </Button>
      )}
      <Button variant="text" startIcon={<CloseRounded />} onClick={onCancel}>
        {tCommon('actions.cancel')}
      </Button>
    </SelectionBarLayout>
  );
}
