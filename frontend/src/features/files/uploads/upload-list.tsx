import { useVirtualizer } from '@tanstack/react-virtual';
import CheckCircleRounded from '@mui/icons-material/CheckCircleRounded';
import FolderRounded from '@mui/icons-material/FolderRounded';
import ErrorRounded from '@mui/icons-material/ErrorRounded';
import Box from '@mui/material/Box';
import LinearProgress from '@mui/material/LinearProgress';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useMemo, useRef, useState, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
import { useZone } from '../../../shared/api/use-zone';
import { VIRTUALISATION_THRESHOLD } from '../../../shared/browse/virtual-items';
import { useErrorText } from '../../../shared/hooks/use-error-text';
import { useFormat } from '../../../shared/hooks/use-format';
import { usePlanAbilities } from '../../../shared/plan/use-subscription';
import { FileTypeIcon } from '../components/file-type-icon';
import { useFormatMegabytes } from './use-format-megabytes';
import type { UploadItem } from './sending/upload-item';
import { UploadGroupRow } from './upload-group-row';
import { UploadControls } from './upload-controls';
import { groupUploads, toRows, type UploadListRow } from './upload-groups';
import { isWaiting, WaitText } from './wait-text';

const rowHeight = 60;
/** Bytes; smaller sizes would be shown as less than 0.01 MB. */
const MIN_SHOWN_BYTES = 0.01 * 2 ** 20;

/** One row for each group, which expands to its files; long lists are virtualised. */
export function UploadList({ items }: { items: readonly UploadItem[] }) {
  const { t } = useTranslation('files');
  const box = useRef<HTMLDivElement>(null);
  const [expandedIds, setExpandedIds] = useState<ReadonlySet<number>>(new Set());
  const rows = useMemo(() => toRows(groupUploads(items), expandedIds), [items, expandedIds]);
  const toggle = (id: number) =>
    setExpandedIds((previous) =>
      previous.has(id) ? new Set([...previous].filter((openId) => openId !== id)) : new Set([...previous, id]),
    );
  return (
    <Box
      ref={box}
      tabIndex={0}
      role="list"
      aria-label={t('uploads.label')}
      sx={{ maxHeight: 'min(300px, 40vh)', overflowY: 'auto', borderTop: 1, borderColor: 'divider' }}
    >
      {rows.length > VIRTUALISATION_THRESHOLD ? (
        <VirtualRows rows={rows} box={box} onToggle={toggle} />
      ) : (
        rows.map((row) => (
          <Box key={row.key} role="listitem">
            <UploadListItem row={row} onToggle={toggle} />
          </Box>
        ))
      )}
    </Box>
  );
}

function UploadListItem({ row, onToggle }: { row: UploadListRow; onToggle: (groupId: number) => void }) {
  if (row.item) return <UploadRow item={row.item} isInGroup={row.isInGroup} />;
  return <UploadGroupRow group={row.group} isOpen={row.isOpen} onToggle={() => onToggle(row.group.id)} />;
}

interface VirtualRowsProps {
  rows: readonly UploadListRow[];
  box: RefObject<HTMLElement | null>;
  onToggle: (groupId: number) => void;
}

function VirtualRows({ rows, box, onToggle }: VirtualRowsProps) {
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => rows[index]!.key,
    overscan: 5,
  });
  return (
    <Box role="presentation" sx={{ position: 'relative' }} style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map(({ key, index, start }) => (
        <Box
          key={key}
          ref={virtualizer.measureElement}
          data-index={index}
          role="listitem"
          aria-setsize={rows.length}
          aria-posinset={index + 1}
          sx={{ position: 'absolute', inset: '0 0 auto' }}
          style={{ transform: `translateY(${start}px)` }}
        >
          <UploadListItem row={rows[index]!} onToggle={onToggle} />
        </Box>
      ))}
    </Box>
  );
}

function UploadRow({ item, isInGroup }: { item: UploadItem; isInGroup: boolean }) {
  const { file, state } = item;
  const { name } = file;
  const hasProgress = state === 'uploading' || state === 'paused' || (state === 'interrupted' && !item.isFolder);
  return (
    <Box
      sx={{ display: 'flex', alignItems: 'center', gap: 3, minHeight: rowHeight, pl: isInGroup ? 8 : 4, pr: 2, py: 2 }}
    >
      {item.isFolder ? (
        <FolderRounded sx={{ color: 'text.secondary' }} />
      ) : (
        <FileTypeIcon file={{ mimeType: file.type }} />
      )}
      <Box sx={{ flex: 1, minWidth: 0 }}>
        <Typography variant="body2" noWrap title={name}>
          {name}
        </Typography>
        <UploadStatus item={item} />
        {hasProgress && (
          <LinearProgress
            variant="determinate"
            color={state === 'uploading' && !item.waitReason ? 'primary' : 'inherit'}
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

/** For the owner of the zone, if a larger plan is available: its files may be larger. */
function PlansLink({ zoneId }: { zoneId: number }) {
  const { t } = useTranslation('files');
  const { data: zone } = useZone(zoneId);
  const { upgrade } = usePlanAbilities();
  if (zone?.memberRole !== 'owner' || !upgrade) return null;
  return (
    <Link component={RouterLink} to="/pricing" sx={{ flex: 'none' }}>
      {t('uploads.seePlans')}
    </Link>
  );
}

function UploadStatus({ item }: { item: UploadItem }) {
  const { t } = useTranslation('files');
  const formatMegabytes = useFormatMegabytes();
  const errorText = useErrorText();
  const { file, state, sent, error, maxFileBytes } = item;
  const format = useFormat();
  // 0.00 MB would be meaningless.
  const size =
    file.size < MIN_SHOWN_BYTES ? format.size(file.size) : t('uploads.size', { size: formatMegabytes(file.size) });
  if (state === 'error') {
    return (
      <Typography
        variant="caption"
        component="p"
        sx={{ display: 'flex', gap: 1, color: 'error.main', overflowWrap: 'anywhere' }}
      >
        <ErrorRounded aria-hidden sx={{ fontSize: 16 }} />
        {maxFileBytes !== undefined
          ? t('uploads.tooLarge', { name: file.name, size: format.sizeLimit(maxFileBytes) })
          : `${t('uploads.uploadFailed')}: ${errorText(error)}`}
        {maxFileBytes !== undefined && <PlansLink zoneId={item.target.zoneId} />}
      </Typography>
    );
  }
  const progress = { sent: formatMegabytes(file.size * sent), total: formatMegabytes(file.size) };
  const statusTexts = {
    pending: `${t('uploads.pending')} · ${size}`,
    uploading: isWaiting(item) ? (
      <WaitText item={item} />
    ) : sent < 1 ? (
      t('uploads.ofTotal', progress)
    ) : (
      t(item.isChecking ? 'uploads.checking' : 'uploads.storing')
    ),
    paused: sent > 0 ? t('uploads.pausedAt', progress) : t('uploads.paused'),
    interrupted: t(item.isFolder ? 'folderUpload.interrupted' : 'uploads.interrupted'),
    completed: `${t('uploads.completed')} · ${size}`,
    duplicate: t('uploads.duplicate'),
  };
  return (
    <Typography variant="caption" color="textSecondary" component="p" sx={{ fontVariantNumeric: 'tabular-nums' }}>
      {statusTexts[state]}
    </Typography>
  );
}
