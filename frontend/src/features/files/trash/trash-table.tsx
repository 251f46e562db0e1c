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
import { daysLeft } from './trash-utils';
import { trashKey, type TrashEntry } from './use-trash';

interface Props {
  entries: readonly TrashEntry[];
  total: number;
  selectedKeys: ReadonlySet<string>;
  onToggle: (entry: TrashEntry) => void;
  onRestore: (entry: TrashEntry) => void;
  /** Undefined for people who can't delete permanently. */
  onPurge?: (entry: TrashEntry) => void;
  onNearEnd?: () => void;
}

/** Shows the trash as rows. */
export function TrashTable({ entries, total, selectedKeys, onNearEnd, ...actions }: Props) {
  const { t } = useTranslation('files');
  const now = useNow();
  return (
    <TableFrame label={t('trash.list')} columns="minmax(0, 1fr) 96px 180px 112px 88px" rowCount={total + 1}>
      <TableRow rowIndex={1} isHeader>
        <TableCell isHeader>{t('columns.name')}</TableCell>
        <TableCell isHeader isNumeric>
          {t('columns.size')}
        </TableCell>
        <TableCell isHeader>{t('trash.deleted')}</TableCell>
        <TableCell isHeader isNumeric>
          {t('trash.goes')}
        </TableCell>
        <TableCell isHeader>
          <span className="z-visually-hidden">{t('columns.actions')}</span>
        </TableCell>
      </TableRow>
      <VirtualItems
        count={entries.length}
        itemHeight={60}
        getKey={(index) => trashKey(entries[index]!)}
        onNearEnd={onNearEnd}
        renderItem={(index) => {
          const entry = entries[index]!;
          return (
            <TrashRow
              rowIndex={index + 2}
              isSelected={selectedKeys.has(trashKey(entry))}
              {...{ entry, now }}
              {...actions}
            />
          );
        }}
      />
    </TableFrame>
  );
}

interface TrashRowProps extends Pick<Props, 'onToggle' | 'onRestore' | 'onPurge'> {
  entry: TrashEntry;
  rowIndex: number;
  now: number;
  isSelected: boolean;
}

function TrashRow({ entry, rowIndex, now, isSelected, onToggle, onRestore, onPurge }: TrashRowProps) {
  const { t } = useTranslation('files');
  const format = useFormat();
  const days = daysLeft(entry.purgesAt, now);
  const expiryText = days === 0 ? t('trash.today') : t('trash.daysLeft', countOptions(days, format));
  const size = format.size(entry.size);
  const originalPath = entry.location.length === 0 ? t('trash.fromTop') : entry.location.join(' / ');
  return (
    <TableRow rowIndex={rowIndex}>
      <TableCell>
        <Checkbox
          size="small"
          checked={isSelected}
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
          <Typography variant="body2" color="textSecondary" noWrap title={originalPath}>
            {originalPath}
            {entry.kind === 'folder' && ` · ${t('trash.files', countOptions(entry.fileCount, format))}`}
          </Typography>
          <Typography variant="body2" color="textSecondary" noWrap sx={{ display: { md: 'none' } }}>
            {size} · {expiryText}
          </Typography>
        </Box>
      </TableCell>
      <TableCell hideOnMobile isNumeric>
        {size}
      </TableCell>
      <TableCell hideOnMobile>
        <Typography variant="body2" noWrap title={entry.deletedBy ?? undefined}>
          {format.date(entry.deletedAt)}
          {entry.deletedBy && ` · ${entry.deletedBy}`}
        </Typography>
      </TableCell>
      <TableCell hideOnMobile isNumeric>
        <span title={format.dateTime(entry.purgesAt)}>{expiryText}</span>
      </TableCell>
      <TableCell isNumeric>
        <Box sx={{ display: 'flex', mx: -2 }}>
          <IconAction label={t('trash.restoreNamed', { name: entry.name })} onClick={() => onRestore(entry)}>
            <RestoreFromTrashRounded />
          </IconAction>
          {onPurge && (
            <IconAction label={t('trash.purgeNamed', { name: entry.name })} onClick={() => onPurge(entry)}>
              <DeleteForeverRounded />
            </IconAction>
          )}
        </Box>
      </TableCell>
    </TableRow>
  );
}

const countOptions = (count: number, format: { number: (value: number) => string }) => ({
  count,
  formatted: format.number(count),
});

function IconAction({ label, onClick, children }: { label: string; onClick: () => void; children: ReactNode }) {
  return (
    <Tooltip title={label}>
      <IconButton aria-label={label} onClick={onClick}>
        {children}
      </IconButton>
    </Tooltip>
  );
}
