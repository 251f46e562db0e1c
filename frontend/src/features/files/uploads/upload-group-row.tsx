import ExpandLessRounded from '@mui/icons-material/ExpandLessRounded';
import ExpandMoreRounded from '@mui/icons-material/ExpandMoreRounded';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';
import { useFormatMegabytes } from './use-format-megabytes';
import type { UploadItem } from './sending/upload-item';
import { UploadGroupControls } from './upload-controls';
import type { UploadGroup } from './upload-groups';
import { isWaiting, WaitText } from './wait-text';

interface Props {
  group: UploadGroup;
  isOpen: boolean;
  onToggle: () => void;
}

/** A folder, or a group of files dropped or chosen together: how many files and bytes have arrived, and how many failed. */
export function UploadGroupRow({ group, isOpen, onToggle }: Props) {
  const { t } = useTranslation('files');
  const format = useFormat();
  const { items, totals } = group;
  const otherCount = items.length - 1;
  const name =
    group.folderName ??
    t('uploads.drop', { name: items[0]!.file.name, count: otherCount, formatted: format.number(otherCount) });
  const toggleLabel = t(isOpen ? 'uploads.closeDrop' : 'uploads.openDrop', { name });
  const percent = totals.totalBytes > 0 ? (100 * totals.sentBytes) / totals.totalBytes : 100;
  const isActive = totals.pending + totals.uploading > 0;
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, minHeight: 60, pl: 2, pr: 2, py: 2 }}>
      <IconButton aria-label={toggleLabel} aria-expanded={isOpen} onClick={onToggle} size="small">
        {isOpen ? <ExpandLessRounded /> : <ExpandMoreRounded />}
      </IconButton>
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography variant="body2" noWrap title={name}>
          {name}
        </Typography>
        <UploadGroupStatus group={group} />
        {(isActive || totals.paused > 0) && (
          <LinearProgress variant="determinate" value={percent} aria-label={name} sx={{ mt: 1, height: 4 }} />
        )}
      </Box>
      <UploadGroupControls group={group} name={name} />
    </Box>
  );
}

const hasResumeTime = ({ resumesAt }: UploadItem) => resumesAt != null;

function UploadGroupStatus({ group: { items, totals } }: { group: UploadGroup }) {
  const { t } = useTranslation('files');
  const format = useFormat();
  const formatMegabytes = useFormatMegabytes();
  const waitingItems = items.filter(isWaiting);
  // Prefers the item with a known resume time: the others wait for it.
  const waitingItem =
    waitingItems.length < totals.uploading ? undefined : (waitingItems.find(hasResumeTime) ?? waitingItems[0]);
  const countOptions = (value: number) => ({ count: value, formatted: format.number(value) });
  const { completed, failed, duplicates, paused, interrupted, sentBytes, totalBytes } = totals;
  const fileCountText = t('uploads.ofFiles', { arrived: format.number(completed), ...countOptions(items.length) });
  const notes = [
    ...(paused > 0 ? [t('uploads.pausedFiles', countOptions(paused))] : []),
    ...(interrupted > 0 ? [t('uploads.interruptedFiles', countOptions(interrupted))] : []),
    ...(duplicates > 0 ? [t('uploads.waiting', countOptions(duplicates))] : []),
  ];
  return (
    <Box sx={{ '& > *': { fontVariantNumeric: 'tabular-nums', overflowWrap: 'anywhere' } }}>
      <Typography variant="caption" color="textSecondary" component="p">
        {`${fileCountText} · ${t('uploads.ofTotal', { sent: formatMegabytes(sentBytes), total: formatMegabytes(totalBytes) })}`}
      </Typography>
      {waitingItem && (
        <Typography variant="caption" color="textSecondary" component="p">
          <WaitText item={waitingItem} />
        </Typography>
      )}
      {notes.map((note) => (
        <Typography key={note} variant="caption" color="textSecondary" component="p">
          {note}
        </Typography>
      ))}
      {failed > 0 && (
        <Typography variant="caption" component="p" sx={{ color: 'error.main' }}>
          {t('uploads.failed', countOptions(failed))}
        </Typography>
      )}
    </Box>
  );
}
