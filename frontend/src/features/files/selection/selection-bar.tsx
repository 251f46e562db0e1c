import CloseRounded from '@mui/icons-material/CloseRounded';
import DeleteRounded from '@mui/icons-material/DeleteRounded';
import DownloadRounded from '@mui/icons-material/DownloadRounded';
import DriveFileMoveRounded from '@mui/icons-material/DriveFileMoveRounded';
import FileCopyRounded from '@mui/icons-material/FileCopyRounded';
import { useTranslation } from 'react-i18next';
import { isDownloadable } from '../downloads/use-download';
import { abilitiesOf, isReadOnly, type Entry } from '../entries';
import { SelectionAction } from './selection-action';
import { SelectionBarLayout } from './selection-bar-layout';

interface Props {
  selectedEntries: readonly Entry[];
  /** Total number of entries while all of them are being loaded to be selected. Until then the actions are disabled. */
  selectAllTotal?: number;
  /** Opens the move dialog. */
  onMove: (entries: readonly Entry[]) => void;
  /** Opens the dialog for the place of the copies. */
  onCopy: (entries: readonly Entry[]) => void;
  onDownload: (entries: readonly Entry[]) => void;
  /** Undefined for people who can't change anything. */
  onDelete?: (entries: readonly Entry[]) => void;
  onCancel: () => void;
}

/** Replaces the toolbar during a selection and offers actions for all selected entries. */
export function SelectionBar({
  selectedEntries,
  selectAllTotal,
  onMove,
  onCopy,
  onDownload,
  onDelete,
  onCancel,
}: Props) {
  const { t } = useTranslation('files');
  const { t: tCommon } = useTranslation();
  const canDelete = selectedEntries.some((entry) => abilitiesOf(entry).delete || isReadOnly(entry));
  const isLoadingAll = selectAllTotal !== undefined;
  return (
    <SelectionBarLayout count={selectAllTotal ?? selectedEntries.length}>
      {selectedEntries.some(isDownloadable) && (
        <SelectionAction
          icon={<DownloadRounded />}
          label={t('actions.download')}
          disabled={isLoadingAll}
          onClick={() => onDownload(selectedEntries)}
        />
      )}
      {selectedEntries.some((entry) => abilitiesOf(entry).move) && (
        <SelectionAction
          icon={<DriveFileMoveRounded />}
          label={t('actions.move')}
          disabled={isLoadingAll}
          onClick={() => onMove(selectedEntries)}
        />
      )}
      {selectedEntries.some((entry) => abilitiesOf(entry).move) && (
        <SelectionAction
          icon={<FileCopyRounded />}
          label={t('actions.copy')}
          disabled={isLoadingAll}
          onClick={() => onCopy(selectedEntries)}
        />
      )}
      {onDelete && canDelete && (
        <SelectionAction
          icon={<DeleteRounded />}
          label={t('actions.delete')}
          isDestructive
          disabled={isLoadingAll}
          onClick={() => onDelete(selectedEntries)}
        />
      )}
      <SelectionAction icon={<CloseRounded />} label={tCommon('actions.cancel')} onClick={onCancel} />
    </SelectionBarLayout>
  );
}
