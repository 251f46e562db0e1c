import { useVirtualizer } from '@tanstack/react-virtual';
import CheckCircleRounded from '@mui/icons-material/CheckCircleRounded';
import ErrorRounded from '@mui/icons-material/ErrorRounded';
import Box from '@mui/material/Box';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { useRef, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../../../shared/api/api-error';
import { virtualAbove } from '../../../shared/browse/virtual-items';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useFormat } from '../../../shared/hooks/use-format';
import { FileTypeIcon } from '../components/file-type-icon';
import { useMegabytes } from './megabytes';
import type { UploadItem } from './sending/upload-item';
import { UploadControls } from './upload-controls';

const rowHeight = 60;
/** Bytes; anything smaller is less than 0.01 MB. */
const smallest = 0.01 * 2 ** 20;

/** One row for each file; of many only those that can be seen are in the page. */
export function UploadList({ items }: { items: readonly UploadItem[] }) {
  const { t } = useTranslation('files');
  const box = useRef<HTMLDivElement>(null);
  return (
    <Box
      ref={box}
      tabIndex={0}
      role="list"
      aria-label={t('uploads.label')}
      sx={{ maxHeight: 'min(300px, 40vh)', overflowY: 'auto', borderTop: 1, borderColor: 'divider' }}
    >
      {items.length > virtualAbove ? (
        <NearRows items={items} box={box} />
      ) : (
        items.map((item) => (
          <Box key={item.id} role="listitem">
            <UploadRow item={item} />
          </Box>
        ))
      )}
    </Box>
  );
}

function NearRows({ items, box }: { items: readonly UploadItem[]; box: RefObject<HTMLElement | null> }) {
  // What it gives is used in this very render only, so that it cannot be memoised does no harm.
  // eslint-disable-next-line react-hooks/incompatible-library
  const virtual = useVirtualizer({
    count: items.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => items[index]!.id,
    overscan: 5,
  });
  return (
    <Box role="presentation" sx={{ position: 'relative' }} style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(({ key, index, start }) => (
        <Box
          key={key}
          ref={virtual.measureElement}
          data-index={index}
          role="listitem"
          aria-setsize={items.length}
          aria-posinset={index + 1}
          sx={{ position: 'absolute', inset: '0 0 auto' }}
          style={{ transform: `translateY(${start}px)` }}
        >
          <UploadRow item={items[index]!} />
        </Box>
      ))}
    </Box>
  );
}

function UploadRow({ item }: { item: UploadItem }) {
  const { file, state } = item;
  const { name } = file;
  const shown = state === 'uploading' || state === 'paused' || state === 'interrupted';
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 3, minHeight: rowHeight, pl: 4, pr: 2, py: 2 }}>
      <FileTypeIcon file={{ mimeType: file.type }} />
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography variant="body2" noWrap title={name}>
          {name}
        </Typography>
        <RowState item={item} />
        {shown && (
          <LinearProgress
            variant="determinate"
            color={state === 'uploading' && !item.waitsFor ? 'primary' : 'inherit'}
            value={100 * item.sent}
            aria-label={name}
            sx={{ mt: 1, height: 4, color: 'text.secondary' }}
          />
        )}
      </Box>
      {state === 'completed' && <CheckCircleRounded aria-hidden sx={{ color: 'success.main', mr: 2 }} />}
      <UploadControls item={item} />
    </Box>
  );
}

function RowState({ item }: { item: UploadItem }) {
  const { t } = useTranslation('files');
  const megabytes = useMegabytes();
  const errorText = useErrorText();
  const { file, state, sent, error, waitsFor } = item;
  const format = useFormat();
  // 0.00 MB would tell nothing.
  const size = file.size < smallest ? format.size(file.size) : t('uploads.size', { size: megabytes(file.size) });
  if (state === 'error') {
    const known = error instanceof ApiError && error.code === 'FILE_TOO_LARGE' && error.message === '';
    return (
      <Typography
        variant="caption"
        component="p"
        sx={{ display: 'flex', gap: 1, color: 'error.main', overflowWrap: 'anywhere' }}
      >
        <ErrorRounded aria-hidden sx={{ fontSize: 16 }} />
        {known ? t('uploads.tooLarge', { name: file.name }) : `${t('uploads.uploadFailed')}: ${errorText(error)}`}
      </Typography>
    );
  }
  const waiting =
    waitsFor instanceof ApiError
      ? waitsFor.status === 0
        ? t('uploads.offline')
        : t('uploads.waitsFor', { reason: errorText(waitsFor) })
      : null;
  const part = { sent: megabytes(file.size * sent), total: megabytes(file.size) };
  const texts = {
    pending: `${t('uploads.pending')} · ${size}`,
    uploading: waiting ?? (sent < 1 ? t('uploads.ofTotal', part) : t('uploads.storing')),
    paused: sent > 0 ? t('uploads.pausedAt', part) : t('uploads.paused'),
    interrupted: t('uploads.interrupted'),
    completed: `${t('uploads.completed')} · ${size}`,
    duplicate: t('uploads.duplicate'),
  };
  return (
    <Typography variant="caption" color="textSecondary" component="p" sx={{ fontVariantNumeric: 'tabular-nums' }}>
      {texts[state]}
    </Typography>
  );
}
