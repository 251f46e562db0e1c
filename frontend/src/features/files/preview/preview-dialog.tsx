import ChevronLeftRounded from '@mui/icons-material/ChevronLeftRounded';
import ChevronRightRounded from '@mui/icons-material/ChevronRightRounded';
import CloseRounded from '@mui/icons-material/CloseRounded';
import DownloadRounded from '@mui/icons-material/DownloadRounded';
import Box from '@mui/material/Box';
import Dialog from '@mui/material/Dialog';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { useEffect, useId, useRef, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../shared/hooks/use-format';
import { FileTypeIcon } from '../components/file-type-icon';
import type { StoredFile } from '../entries';
import { PreviewContent } from './preview-content';
import { downloadAddress } from './preview-kind';

interface Props {
  /** The files that can be gone through, in the order of the list. */
  files: readonly StoredFile[];
  /** Files of the folder in all; more than `files` while not all are loaded. */
  total: number;
  /** Which of them is shown; null shows nothing. */
  fileId: number | null;
  onShow: (fileId: number) => void;
  onClose: () => void;
}

/** Shows one file after the other over the whole screen. Arrow keys lead to the next, Escape back to the list. */
export function PreviewDialog({ files, total, fileId, onShow, onClose }: Props) {
  const titleId = useId();
  const at = files.findIndex(({ id }) => id === fileId);
  const file = files[at];
  const move = (step: 1 | -1) => {
    const next = files[at + step];
    if (next) onShow(next.id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Players and long texts use the arrows themselves.
    if ((event.target as Element).closest('video, audio, [role=document]') || event.altKey || event.metaKey) return;
    if (event.key === 'ArrowRight') move(1);
    else if (event.key === 'ArrowLeft') move(-1);
    else if (event.key === ' ' && !(event.target as Element).closest('button, a')) onClose();
    else return;
    event.preventDefault();
  };
  return (
    <Dialog
      open={file !== undefined}
      onClose={onClose}
      onKeyDown={onKeyDown}
      fullScreen
      aria-labelledby={titleId}
      slotProps={{
        paper: {
          sx: { m: { xs: 0 }, maxWidth: { xs: '100%' }, borderRadius: 0, border: 0, bgcolor: 'background.default' },
        },
      }}
    >
      {file && (
        <Preview
          file={file}
          titleId={titleId}
          at={at}
          total={total}
          onMove={move}
          hasNext={at + 1 < files.length}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

interface PreviewProps {
  titleId: string;
  file: StoredFile;
  at: number;
  total: number;
  hasNext: boolean;
  onMove: (step: 1 | -1) => void;
  onClose: () => void;
}

function Preview({ file, titleId, at, total, hasNext, onMove, onClose }: PreviewProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.focus(), []);
  return (
    <Box
      ref={box}
      tabIndex={-1}
      sx={{ display: 'flex', flexDirection: 'column', height: '100%', '&:focus-visible': { outline: 'none' } }}
    >
      <PreviewHead file={file} titleId={titleId} at={at} total={total} onClose={onClose} />
      <Box sx={{ position: 'relative', flex: 1, minHeight: 0, display: 'flex' }}>
        <Step direction={-1} shown={at > 0} onMove={onMove} />
        <Box
          sx={{
            position: 'relative',
            flex: 1,
            minWidth: 0,
            display: 'grid',
            placeItems: 'center',
            gridTemplate: 'minmax(0, 1fr) / minmax(0, 1fr)',
            px: { xs: 2, sm: 16 },
            py: { xs: 2, sm: 4 },
          }}
        >
          <PreviewContent key={file.id} file={file} />
        </Box>
        <Step direction={1} shown={hasNext} onMove={onMove} />
      </Box>
    </Box>
  );
}

function PreviewHead({ file, titleId, at, total, onClose }: Omit<PreviewProps, 'onMove' | 'hasNext'>) {
  const { t } = useTranslation('files');
  const { t: common } = useTranslation();
  const format = useFormat();
  return (
    <Box
      component="header"
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 2,
        minHeight: 56,
        px: { xs: 2, sm: 4 },
        borderBottom: 1,
        borderColor: 'divider',
        bgcolor: 'background.paper',
      }}
    >
      <Tooltip title={common('actions.close')}>
        <IconButton aria-label={common('actions.close')} onClick={onClose}>
          <CloseRounded />
        </IconButton>
      </Tooltip>
      <FileTypeIcon file={file} />
      <Typography
        id={titleId}
        variant="subtitle2"
        component="h2"
        noWrap
        sx={{ flex: 1, minWidth: 0 }}
        title={file.originalName}
      >
        {file.originalName}
      </Typography>
      <Typography
        variant="body2"
        color="textSecondary"
        sx={{ display: { xs: 'none', sm: 'block' }, fontVariantNumeric: 'tabular-nums', whiteSpace: 'nowrap' }}
      >
        {format.size(file.size)}
        {total > 1 && ` · ${t('preview.position', { at: format.number(at + 1), total: format.number(total) })}`}
      </Typography>
      {file.can.download && (
        <Tooltip title={t('actions.download')}>
          <IconButton component="a" href={downloadAddress(file)} download aria-label={t('actions.download')}>
            <DownloadRounded />
          </IconButton>
        </Tooltip>
      )}
    </Box>
  );
}

function Step({ direction, shown, onMove }: { direction: 1 | -1; shown: boolean; onMove: (step: 1 | -1) => void }) {
  const { t } = useTranslation('files');
  if (!shown) return null;
  const label = direction === 1 ? t('preview.next') : t('preview.previous');
  return (
    <Tooltip title={label}>
      <IconButton
        aria-label={label}
        onClick={() => onMove(direction)}
        sx={{
          position: 'absolute',
          zIndex: 1,
          top: { xs: 'auto', sm: '50%' },
          bottom: { xs: 16, sm: 'auto' },
          [direction === 1 ? 'right' : 'left']: 12,
          transform: { sm: 'translateY(-50%)' },
          width: 44,
          height: 44,
          border: 1,
          borderColor: 'divider',
          bgcolor: 'background.paper',
          '&:hover': { bgcolor: 'hover' },
        }}
      >
        {direction === 1 ? <ChevronRightRounded /> : <ChevronLeftRounded />}
      </IconButton>
    </Tooltip>
  );
}
