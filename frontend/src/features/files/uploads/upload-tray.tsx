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
import { useMegabytes } from './megabytes';
import { UploadList } from './upload-list';
import { isPausable, isRetryable, totalsOf, type UploadItem, type UploadTotals } from './sending/upload-item';
import { useUploads, useWhenListed } from './sending/uploads';

/** The files on their way, docked at the lower right: each drop with its progress, and all together. */
export function UploadTray({ items }: { items: readonly UploadItem[] }) {
  const { t } = useTranslation('files');
  const uploads = useUploads();
  const id = useId();
  const [open, setOpen] = useState(true);
  const toastShown = useToast() !== null;
  const totals = totalsOf(items);
  const busy = totals.pending + totals.uploading > 0;
  const over = totals.completed + totals.failed === items.length;
  useSuccess(totals);
  return (
    <>
      <Card
        component="section"
        aria-label={t('uploads.label')}
        sx={{
          position: 'fixed',
          right: 16,
          // On narrow screens the toast needs the place at the bottom for itself.
          bottom: { xs: toastShown ? 88 : 16, lg: 16 },
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
            aria-label={open ? t('uploads.collapse') : t('uploads.expand')}
            aria-expanded={open}
            aria-controls={id}
            onClick={() => setOpen(!open)}
          >
            {open ? <ExpandMoreRounded /> : <ExpandLessRounded />}
          </IconButton>
          {over && (
            <IconButton aria-label={t('uploads.clear')} onClick={() => uploads.clearFinished()}>
              <CloseRounded />
            </IconButton>
          )}
        </Box>
        {(busy || totals.paused > 0) && <TotalProgress totals={totals} />}
        <Box id={id} hidden={!open}>
          <UploadList items={items} />
        </Box>
        <Actions items={items} totals={totals} />
      </Card>
      <DuplicatesDialog items={items} />
    </>
  );
}

function Summary({ totals }: { totals: UploadTotals }) {
  const { t } = useTranslation('files');
  const format = useFormat();
  const { pending, uploading, paused, interrupted, failed, duplicates } = totals;
  const count = (value: number) => ({ count: value, formatted: format.number(value) });
  if (pending + uploading > 0) return t('uploads.uploading', count(pending + uploading));
  if (duplicates > 0) return t('uploads.waiting', count(duplicates));
  if (paused > 0) return t('uploads.pausedFiles', count(paused));
  if (failed > 0) return t('uploads.failed', count(failed));
  if (interrupted > 0) return t('uploads.interruptedFiles', count(interrupted));
  return t('uploads.storing');
}

function TotalProgress({ totals }: { totals: UploadTotals }) {
  const { t } = useTranslation('files');
  const format = useFormat();
  const megabytes = useMegabytes();
  const speed = useUploads().speed();
  const { sentBytes, totalBytes } = totals;
  const part = totalBytes > 0 ? (100 * sentBytes) / totalBytes : 100;
  return (
    <Box sx={{ px: 4, pb: 3 }}>
      <LinearProgress variant="determinate" value={part} aria-label={t('uploads.inTotal')} />
      <Typography
        variant="caption"
        color="textSecondary"
        component="p"
        sx={{ mt: 1, fontVariantNumeric: 'tabular-nums' }}
      >
        {t('uploads.ofTotal', { sent: megabytes(sentBytes), total: megabytes(totalBytes) })}
        {speed > 0 && ` · ${t('uploads.speed', { speed: format.size(speed) })}`}
      </Typography>
    </Box>
  );
}

function Actions({ items, totals }: { items: readonly UploadItem[]; totals: UploadTotals }) {
  const { t } = useTranslation('files');
  const uploads = useUploads();
  const failed = items.some(isRetryable);
  const moving = totals.pending + totals.uploading > 0;
  const paused = totals.paused > 0;
  const unfinished = moving || paused || totals.interrupted > 1;
  if (!unfinished && !failed) return null;
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
      {failed && <Button onClick={() => uploads.retryFailed()}>{t('uploads.retryAll')}</Button>}
      {paused && <Button onClick={() => uploads.resumeAll()}>{t('uploads.resumeAll')}</Button>}
      {items.some(isPausable) && <Button onClick={() => uploads.pauseAll()}>{t('uploads.pauseAll')}</Button>}
      {unfinished && <Button onClick={() => uploads.cancelAll()}>{t('uploads.cancelAll')}</Button>}
    </Box>
  );
}

/** Says once that everything has arrived, when it can be seen in its folder; the tray then has nothing more to tell. */
function useSuccess({ pending, uploading, paused, completed, failed, duplicates }: UploadTotals) {
  const { t } = useTranslation('files');
  const uploads = useUploads();
  const whenListed = useWhenListed();
  const done = completed > 0 && pending + uploading + paused + duplicates + failed === 0;
  useEffect(() => {
    if (!done) return undefined;
    let isCurrent = true;
    const tell = () => {
      if (!isCurrent) return;
      toast.success(t('uploads.done'));
      uploads.clearFinished();
    };
    // A list that could not be loaded says so itself; the files are stored all the same.
    whenListed().then(tell, tell);
    return () => {
      isCurrent = false;
    };
  }, [done, t, uploads, whenListed]);
}
