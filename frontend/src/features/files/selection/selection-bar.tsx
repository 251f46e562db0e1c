import CloseRounded from '@mui/icons-material/CloseRounded';
import DeleteRounded from '@mui/icons-material/DeleteRounded';
import DownloadRounded from '@mui/icons-material/DownloadRounded';
import DriveFileMoveRounded from '@mui/icons-material/DriveFileMoveRounded';
import Button from '@mui/material/Button';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';
import { isDownloadable } from '../downloads/use-download';
import { abilitiesOf, isReadOnly, type Entry } from '../entries';
import { BarFrame } from './bar-frame';

interface Props {
  chosen: readonly Entry[];
  /** All are being loaded to be chosen: how many there are. Nothing can be done with them before. */
  gathering?: number;
  /** Asks where they are to go. */
  onMove: (chosen: readonly Entry[]) => void;
  onDownload: (chosen: readonly Entry[]) => void;
  /** Not there for who can change nothing. */
  onDelete?: (chosen: readonly Entry[]) => void;
  onCancel: () => void;
}

/** Stands in the place of the toolbar while something is chosen: what can be done with all of it. */
export function SelectionBar({ chosen, gathering, onMove, onDownload, onDelete, onCancel }: Props) {
  const { t } = useTranslation('files');
  const { t: common } = useTranslation();
  const format = useFormat();
  const deletable = chosen.some((entry) => abilitiesOf(entry).delete || isReadOnly(entry));
  const note =
    gathering === undefined
      ? undefined
      : t('selection.gathering', { loaded: format.number(chosen.length), total: format.number(gathering) });
  const waits = gathering !== undefined;
  return (
    <BarFrame count={chosen.length} note={note}>
      {chosen.some(isDownloadable) && (
        <Button variant="text" disabled={waits} startIcon={<DownloadRounded />} onClick={() => onDownload(chosen)}>
          {t('actions.download')}
        </Button>
      )}
      {chosen.some((entry) => abilitiesOf(entry).move) && (
        <Button variant="text" disabled={waits} startIcon={<DriveFileMoveRounded />} onClick={() => onMove(chosen)}>
          {t('actions.move')}
        </Button>
      )}
      {onDelete && deletable && (
        <Button
          variant="text"
          color="error"
          disabled={waits}
          startIcon={<DeleteRounded />}
          onClick={() => onDelete(chosen)}
        >
          {t('actions.delete')}
        </Button>
      )}
      <Button variant="text" startIcon={<CloseRounded />} onClick={onCancel}>
        {common('actions.cancel')}
      </Button>
    </BarFrame>
  );
}
