import DeleteForeverRounded from '@mui/icons-material/DeleteForeverRounded';
import FolderRounded from '@mui/icons-material/FolderRounded';
import RestoreFromTrashRounded from '@mui/icons-material/RestoreFromTrashRounded';
import Box from '@mui/material/Box';
import Checkbox from '@mui/material/Checkbox';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { TableCell, TableFrame, TableRow } from '../../../shared/browse/table';
import { VirtualItems } from '../../../shared/browse/virtual-items';
import { useFormat } from '../../../shared/hooks/use-format';
import { useNow } from '../../../shared/hooks/use-now';
import { FileTypeIcon } from '../components/file-type-icon';
import { daysLeft } from './trash-facts';
import { trashKey, type TrashEntry } from './use-trash';

interface Props {
  entries: readonly TrashEntry[];
  total: number;
  /** Keys of what is chosen. */
  chosen: ReadonlySet<string>;
  onToggle: (entry: TrashEntry) => void;
  onRestore: (entry: TrashEntry) => void;
  /** Left out for who may not remove things for good. */
  onPurge?: (entry: TrashEntry) => void;
  onNearEnd?: () => void;
}

/** What is in the trash, as rows. */
export function TrashTable({ entries, total, chosen, onNearEnd, ...actions }: Props) {
  const { t } = useTranslation('files');
  const now = useNow();
  return (
    <TableFrame label={t('trash.list')} columns="minmax(0, 1fr) 96px 180px 112px 88px" rows={total + 1}>
      <TableRow at={1} head>
        <TableCell head>{t('columns.name')}</TableCell>
        <TableCell head figure>
          {t('columns.size')}
        </TableCell>
        <TableCell head>{t('trash.deleted')}</TableCell>
        <TableCell head figure>
          {t('trash.goes')}
        </TableCell>
        <TableCell head>
          <span className="z-visually-hidden">{t('columns.actions')}</span>
        </TableCell>
      </TableRow>
      <VirtualItems
        count={entries.length}
        height={60}
        keyOf={(index) => trashKey(entries[index]!)}
        onNearEnd={onNearEnd}
        renderItem={(index) => {
          const entry = entries[index]!;
          return <TrashRow at={index + 2} chosen={chosen.has(trashKey(entry))} {...{ entry, now }} {...actions} />;
        }}
      />
    </TableFrame>
  );
}

interface RowProps extends Pick<Props, 'onToggle' | 'onRestore' | 'onPurge'> {
  entry: TrashEntry;
  at: number;
  now: number;
  chosen: boolean;
}

function TrashRow({ entry, at, now, chosen, onToggle, onRestore, onPurge }: RowProps) {
  const { t } = useTranslation('files');
  const format = useFormat();
  const left = daysLeft(entry.purgesAt, now);
  const goes = left === 0 ? t('trash.today') : t('trash.daysLeft', countOf(left, format));
  const size = format.size(entry.size);
  const from = entry.location.length === 0 ? t('trash.fromTop') : entry.location.join(' / ');
  return (
    <TableRow at={at}>
      <TableCell>
        <Checkbox
          size="small"
          checked={chosen}
          onChange={() => onToggle(entry)}
          slotProps={{ input: { 'aria-label': t('selection.choose', { name: entry.name }) } }}
          sx={{ flex: 'none', p: 0 }}
        />
        {entry.mimeType === null ? (
          <FolderRounded aria-hidden sx={{ flex: 'none', color: 'text.secondary' }} />
        ) : (
          <FileTypeIcon file={{ mimeType: entry.mimeType }} />
        )}
        <Box sx={{ minWidth: 0, py: 2 }}>
          <Typography noWrap title={entry.name}>
            {entry.name}
          </Typography>
          <Typography variant="body2" color="textSecondary" noWrap title={from}>
            {from}
            {entry.kind === 'folder' && ` · ${t('trash.files', countOf(entry.fileCount, format))}`}
          </Typography>
          <Typography variant="body2" color="textSecondary" noWrap sx={{ display: { md: 'none' } }}>
            {size} · {goes}
          </Typography>
        </Box>
      </TableCell>
      <TableCell wide figure>
        {size}
      </TableCell>
      <TableCell wide>
        <Typography variant="body2" noWrap title={entry.deletedBy ?? undefined}>
          {format.date(entry.deletedAt)}
          {entry.deletedBy && ` · ${entry.deletedBy}`}
        </Typography>
      </TableCell>
      <TableCell wide figure>
        <span title={format.dateTime(entry.purgesAt)}>{goes}</span>
      </TableCell>
      <TableCell figure>
        <Box sx={{ display: 'flex', mx: -2 }}>
          <Action label={t('trash.restoreNamed', { name: entry.name })} onClick={() => onRestore(entry)}>
            <RestoreFromTrashRounded />
          </Action>
          {onPurge && (
            <Action label={t('trash.purgeNamed', { name: entry.name })} onClick={() => onPurge(entry)}>
              <DeleteForeverRounded />
            </Action>
          )}
        </Box>
      </TableCell>
    </TableRow>
  );
}

const countOf = (count: number, format: { number: (value: number) => string }) => ({
  count,
  formatted: format.number(count),
});

function Action({ label, onClick, children }: { label: string; onClick: () => void; children: ReactNode }) {
  return (
    <Tooltip title={label}>
      <IconButton aria-label={label} onClick={onClick}>
        {children}
      </IconButton>
    </Tooltip>
  );
}
