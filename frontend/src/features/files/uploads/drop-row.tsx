import ExpandLessRounded from '@mui/icons-material/ExpandLessRounded';
import ExpandMoreRounded from '@mui/icons-material/ExpandMoreRounded';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';
import { useMegabytes } from './megabytes';
import type { UploadItem } from './sending/upload-item';
import { DropControls } from './upload-controls';
import type { Drop } from './upload-drops';
import { isWaiting, WaitText } from './wait-text';

interface Props {
  drop: Drop;
  isOpen: boolean;
  onToggle: () => void;
}

/** All that was dropped or chosen together: how many files and bytes of it have arrived, and what went wrong. */
export function DropRow({ drop, isOpen, onToggle }: Props) {
  const { t } = useTranslation('files');
  const format = useFormat();
  const { items, totals } = drop;
  const more = items.length - 1;
  const name = t('uploads.drop', { name: items[0]!.file.name, count: more, formatted: format.number(more) });
  const toggle = t(isOpen ? 'uploads.closeDrop' : 'uploads.openDrop', { name });
  const part = totals.totalBytes > 0 ? (100 * totals.sentBytes) / totals.totalBytes : 100;
  const moves = totals.pending + totals.uploading > 0;
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, minHeight: 60, pl: 2, pr: 2, py: 2 }}>
      <IconButton aria-label={toggle} aria-expanded={isOpen} onClick={onToggle} size="small">
        {isOpen ? <ExpandLessRounded /> : <ExpandMoreRounded />}
      </IconButton>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography variant="body2" noWrap title={name}>
          {name}
        </Typography>
        <DropState drop={drop} />
        {(moves || totals.paused > 0) && (
          <LinearProgress variant="determinate" value={part} aria-label={name} sx={{ mt: 1, height: 4 }} />
        )}
      </Box>
      <DropControls drop={drop} name={name} />
    </Box>
  );
}

const isTimed = ({ goesOnAt }: UploadItem) => goesOnAt != null;

function DropState({ drop: { items, totals } }: { drop: Drop }) {
  const { t } = useTranslation('files');
  const format = useFormat();
  const megabytes = useMegabytes();
  const stopped = items.filter(isWaiting);
  // The one that says when it goes on: the others wait for it.
  const waiting = stopped.length < totals.uploading ? undefined : (stopped.find(isTimed) ?? stopped[0]);
  const count = (value: number) => ({ count: value, formatted: format.number(value) });
  const { completed, failed, duplicates, paused, interrupted, sentBytes, totalBytes } = totals;
  const files = t('uploads.ofFiles', { arrived: format.number(completed), ...count(items.length) });
  const notes = [
    ...(paused > 0 ? [t('uploads.pausedFiles', count(paused))] : []),
    ...(interrupted > 0 ? [t('uploads.interruptedFiles', count(interrupted))] : []),
    ...(duplicates > 0 ? [t('uploads.waiting', count(duplicates))] : []),
  ];
  return (
    <Box sx={{ '& > *': { fontVariantNumeric: 'tabular-nums', overflowWrap: 'anywhere' } }}>
      <Typography variant="caption" color="textSecondary" component="p">
        {`${files} · ${t('uploads.ofTotal', { sent: megabytes(sentBytes), total: megabytes(totalBytes) })}`}
      </Typography>
      {waiting && (
        <Typography variant="caption" color="textSecondary" component="p">
          <WaitText item={waiting} />
        </Typography>
      )}
      {notes.map((note) => (
        <Typography key={note} variant="caption" color="textSecondary" component="p">
          {note}
        </Typography>
      ))}
      {failed > 0 && (
        <Typography variant="caption" component="p" sx={{ color: 'error.main' }}>
          {t('uploads.failed', count(failed))}
        </Typography>
      )}
    </Box>
  );
}
