import CloseRounded from '@mui/icons-material/CloseRounded';
import ExpandLessRounded from '@mui/icons-material/ExpandLessRounded';
import ExpandMoreRounded from '@mui/icons-material/ExpandMoreRounded';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Card from '@mui/material/Card';
import IconButton from '@mui/material/IconButton';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { useEffect, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';
import { toast, useToast } from '../../../shared/toast/toast-store';
import { DuplicatesDialog } from './duplicates-dialog';
import { useFormatMegabytes } from './use-format-megabytes';
import { UploadList } from './upload-list';
import { isPausable, isRetryable, computeTotals, type UploadItem, type UploadTotals } from './sending/upload-item';
import { useUploadQueue, useWhenListsRefreshed } from './sending/page-uploads';

/** The uploads, docked at the lower right: each group with its progress, and the total. */
export function UploadTray({ items }: { items: readonly UploadItem[] }) {
  const { t } = useTranslation('files');
  const uploadQueue = useUploadQueue();
  const id = useId();
  const [isOpen, setIsOpen] = useState(true);
  const isToastShown = useToast() !== null;
  const totals = computeTotals(items);
  const isUploading = totals.pending + totals.uploading > 0;
  const isFinished = totals.completed + totals.failed === items.length;
  useSuccessToast(items, totals);
  return (
    <>
      <Card
        component="section"
        aria-label={t('uploads.label')}
        sx={{
          position: 'fixed',
          right: 16,
          // On narrow screens the toast needs the space at the bottom.
          bottom: { xs: isToastShown ? 88 : 16, lg: 16 },
          zIndex: 'drawer',
          width: 'min(380px, calc(100vw - 32px))',
          boxShadow: (theme) => theme.vars?.palette.float,
        }}
      >
        <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, pl: 4, pr: 2, minHeight: 48 }}>
          <Typography variant="subtitle2" component="h2" sx={{ flex: 1, minWidth: 0 }}>
            <span role="status">
              <Summary totals={totals} />
            </span>
          </Typography>
          <IconButton
            aria-label={isOpen ? t('uploads.collapse') : t('uploads.expand')}
            aria-expanded={isOpen}
            aria-controls={id}
            onClick={() => setIsOpen(!isOpen)}
          >
            {isOpen ? <ExpandMoreRounded /> : <ExpandLessRounded />}
          </IconButton>
          {isFinished && (
            <IconButton aria-label={t('uploads.clear')} onClick={() => uploadQueue.clearFinished()}>
              <CloseRounded />
            </IconButton>
          )}
        </Box>
        {(isUploading || totals.paused > 0) && <TotalProgress totals={totals} />}
        <Box id={id} hidden={!isOpen}>
          <UploadList items={items} />
        </Box>
        <TrayActions items={items} totals={totals} />
      </Card>
      <DuplicatesDialog items={items} />
    </>
  );
}

function Summary({ totals }: { totals: UploadTotals }) {
  const { t } = useTranslation('files');
  const format = useFormat();
  const { pending, uploading, paused, interrupted, failed, duplicates } = totals;
  const countOptions = (value: number) => ({ count: value, formatted: format.number(value) });
  if (pending + uploading > 0) return t('uploads.uploading', countOptions(pending + uploading));
  if (duplicates > 0) return t('uploads.waiting', countOptions(duplicates));
  if (paused > 0) return t('uploads.pausedFiles', countOptions(paused));
  if (failed > 0) return t('uploads.failed', countOptions(failed));
  if (interrupted > 0) return t('uploads.interruptedFiles', countOptions(interrupted));
  return t('uploads.storing');
}

function TotalProgress({ totals }: { totals: UploadTotals }) {
  const { t } = useTranslation('files');
  const format = useFormat();
  const formatMegabytes = useFormatMegabytes();
  const speed = useUploadQueue().getSpeed();
  const { sentBytes, totalBytes } = totals;
  const percent = totalBytes > 0 ? (100 * sentBytes) / totalBytes : 100;
  return (
    <Box sx={{ px: 4, pb: 3 }}>
      <LinearProgress variant="determinate" value={percent} aria-label={t('uploads.inTotal')} />
      <Typography
        variant="caption"
        color="textSecondary"
        component="p"
        sx={{ mt: 1, fontVariantNumeric: 'tabular-nums' }}
      >
        {t('uploads.ofTotal', { sent: formatMegabytes(sentBytes), total: formatMegabytes(totalBytes) })}
        {speed > 0 && ` · ${t('uploads.speed', { speed: format.size(speed) })}`}
      </Typography>
    </Box>
  );
}

function TrayActions({ items, totals }: { items: readonly UploadItem[]; totals: UploadTotals }) {
  const { t } = useTranslation('files');
  const uploadQueue = useUploadQueue();
  const hasFailed = items.some(isRetryable);
  const isUploading = totals.pending + totals.uploading > 0;
  const hasPaused = totals.paused > 0;
  const hasUnfinished = isUploading || hasPaused || totals.interrupted > 1;
  if (!hasUnfinished && !hasFailed) return null;
  return (
    <Box
      sx={{
        display: 'flex',
        flexWrap: 'wrap',
        justifyContent: 'flex-end',
        gap: 2,
        px: 4,
        py: 2,
        borderTop: 1,
        borderColor: 'divider',
      }}
    >
      {hasFailed && <Button onClick={() => uploadQueue.retryFailed()}>{t('uploads.retryAll')}</Button>}
      {hasPaused && <Button onClick={() => uploadQueue.resumeAll()}>{t('uploads.resumeAll')}</Button>}
      {items.some(isPausable) && <Button onClick={() => uploadQueue.pauseAll()}>{t('uploads.pauseAll')}</Button>}
      {hasUnfinished && <Button onClick={() => uploadQueue.cancelAll()}>{t('uploads.cancelAll')}</Button>}
    </Box>
  );
}

/** Describes what was uploaded: the name of one file, the number of several. */
function useDescription(items: readonly UploadItem[]): string {
  const { t } = useTranslation('files');
  const format = useFormat();
  const [first, ...others] = items.filter(({ state }) => state === 'completed');
  if (!first) return '';
  if (others.length > 0)
    return t('uploads.doneFiles', { count: others.length + 1, formatted: format.number(others.length + 1) });
  return first.replaces ? t('uploads.doneVersion', { name: first.replaces.name }) : first.file.name;
}

/** Shows one toast once everything is stored and visible in its folder; the tray then has nothing left to show. */
function useSuccessToast(items: readonly UploadItem[], totals: UploadTotals) {
  const { pending, uploading, paused, completed, failed, duplicates } = totals;
  const { t } = useTranslation('files');
  const description = useDescription(items);
  const uploadQueue = useUploadQueue();
  const whenListsRefreshed = useWhenListsRefreshed();
  const isDone = completed > 0 && pending + uploading + paused + duplicates + failed === 0;
  useEffect(() => {
    if (!isDone) return undefined;
    let isCurrent = true;
    const announce = () => {
      if (!isCurrent) return;
      toast.success(t('uploads.done'), description);
      uploadQueue.clearFinished();
    };
    // A list that fails to load shows its own error; the files are stored anyway.
    whenListsRefreshed().then(announce, announce);
    return () => {
      isCurrent = false;
    };
  }, [isDone, description, t, uploadQueue, whenListsRefreshed]);
}
