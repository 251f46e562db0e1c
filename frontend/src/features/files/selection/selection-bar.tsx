import CloseRounded from '@mui/icons-material/CloseRounded';
import DeleteRounded from '@mui/icons-material/DeleteRounded';
import DownloadRounded from '@mui/icons-material/DownloadRounded';
import DriveFileMoveRounded from '@mui/icons-material/DriveFileMoveRounded';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { isDownloadable } from '../downloads/use-download';
import { abilitiesOf, isReadOnly, type Entry } from '../entries';
import { BarFrame } from './bar-frame';

interface Props {
  chosen: readonly Entry[];
  /** Asks where they are to go. */
  onMove: (chosen: readonly Entry[]) => void;
  onDownload: (chosen: readonly Entry[]) => void;
  /** Not there for who can change nothing. */
  onDelete?: (chosen: readonly Entry[]) => void;
  onCancel: () => void;
}

/** Stands in the place of the toolbar while something is chosen: what can be done with all of it. */
export function SelectionBar({ chosen, onMove, onDownload, onDelete, onCancel }: Props) {
  const { t } = useTranslation('files');
  const { t: common } = useTranslation();
  const deletable = chosen.some((entry) => abilitiesOf(entry).delete || isReadOnly(entry));
  return (
    <BarFrame count={chosen.length}>
      {chosen.some(isDownloadable) && (
        <Button variant="text" startIcon={<DownloadRounded />} onClick={() => onDownload(chosen)}>
          {t('actions.download')}
        </Button>
      )}
      {chosen.some((entry) => abilitiesOf(entry).move) && (
        <Button variant="text" startIcon={<DriveFileMoveRounded />} onClick={() => onMove(chosen)}>
          {t('actions.move')}
        </Button>
      )}
      {onDelete && deletable && (
        <Button variant="text" color="error" startIcon={<DeleteRounded />} onClick={() => onDelete(chosen)}>
          {t('actions.delete')}
        </Button>
      )}
      <Button variant="text" startIcon={<CloseRounded />} onClick={onCancel}>
        {common('actions.cancel')}
      </Button>
    </BarFrame>
  );
}
