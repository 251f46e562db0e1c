import ArrowDownwardRounded from '@mui/icons-material/ArrowDownwardRounded';
import ArrowUpwardRounded from '@mui/icons-material/ArrowUpwardRounded';
import DownloadRounded from '@mui/icons-material/DownloadRounded';
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Sort } from '../../../shared/browse/sort';
import { TableCell, TableFrame, TableRow } from '../../../shared/browse/table';
import { useArrowKeys } from '../../../shared/browse/use-arrow-keys';
import { VirtualItems, type ItemsHandle } from '../../../shared/browse/virtual-items';
import { useFormat } from '../../../shared/hooks/use-format';
import { entryKey, entryName, type Entry } from '../entries';
import type { FileSortKey } from '../../../shared/files/file-lists';
import { useDragged } from '../move/dragged';
import { downloadAddress } from '../../../shared/files/preview-kind';
import { SelectionMark } from '../selection/selection-mark';
import type { EntrySelection } from '../selection/use-selection';
import type { EntryActions } from './entry-actions';
import { EntryControl } from './entry-control';
import { useEntryFacts } from './entry-facts';
import { EntryLocation } from './entry-location';
import { EntryMenuButton } from './entry-menu-button';
import { EntryMiniature } from './entry-icon';
import { FailedBadge } from '../failed/failed-badge';
import { MirrorBadge } from './mirror-badge';
import { NoDownloadBadge } from './no-download-badge';
import { useMarked } from '../wanted/use-marked';

const columns = 'minmax(0, 1fr) 96px 112px 112px 96px 80px';

export interface EntriesProps {
  entries: readonly Entry[];
  /** What the folder holds in all. */
  total: number;
  actions: EntryActions;
  selection?: EntrySelection;
  /** Without it the order is not to be chosen. */
  sort?: Sort<FileSortKey>;
  onSort: (sort: Sort<FileSortKey>) => void;
  /** The one that was asked for by an address: it is marked and gets the focus; -1 when none was. */
  marked: number;
  /** The one from which one has come back; -1 when one has not. It gets the focus. */
  returned: number;
  onNearEnd?: () => void;
}

/** Folders and files as rows. */
export function FileTable({
  entries,
  total,
  actions,
  selection,
  sort,
  onSort,
  marked,
  returned,
  onNearEnd,
}: EntriesProps) {
  const { t } = useTranslation('files');
  const box = useRef<HTMLDivElement>(null);
  const items = useRef<ItemsHandle>(null);
  const { active, itemProps, onKeyDown, focus } = useArrowKeys({ count: entries.length, box, items });
  useMarked(marked >= 0 ? marked : returned, focus, box);
  return (
    <TableFrame ref={box} kind="grid" label={t('list')} columns={columns} rows={total + 1} onKeyDown={onKeyDown}>
      <TableRow at={1} head>
        <SortCell name="name" sort={sort} onSort={onSort}>
          {t('columns.name')}
        </SortCell>
        <SortCell name="size" sort={sort} onSort={onSort} figure>
          {t('columns.size')}
        </SortCell>
        <SortCell name="date" sort={sort} onSort={onSort} figure>
          {t('columns.added')}
        </SortCell>
        <TableCell head figure>
          {t('columns.views')}
        </TableCell>
        <TableCell head figure>
          {t('columns.downloads')}
        </TableCell>
        <TableCell head>
          <span className="z-visually-hidden">{t('columns.actions')}</span>
        </TableCell>
      </TableRow>
      <VirtualItems
        ref={items}
        count={entries.length}
        height={44}
        keyOf={(index) => entryKey(entries[index]!)}
        keep={active}
        onNearEnd={onNearEnd}
        renderItem={(index) => (
          <EntryRow
            entry={entries[index]!}
            at={index + 2}
            actions={actions}
            selection={selection}
            itemProps={itemProps(index)}
            marked={index === marked}
            tabIndex={index === active ? 0 : -1}
          />
        )}
      />
    </TableFrame>
  );
}

interface SortCellProps {
  name: FileSortKey;
  sort?: Sort<FileSortKey>;
  onSort: (sort: Sort<FileSortKey>) => void;
  figure?: boolean;
  children: string;
}

function SortCell({ name, sort, onSort, figure, children }: SortCellProps) {
  if (!sort) {
    return (
      <TableCell head figure={figure}>
        {children}
      </TableCell>
    );
  }
  const current = sort.by === name;
  const ascending = sort.order === 'asc';
  const Arrow = ascending ? ArrowUpwardRounded : ArrowDownwardRounded;
  const turn = () => onSort(current ? { by: name, order: ascending ? 'desc' : 'asc' } : { by: name, order: 'asc' });
  return (
    <TableCell head figure={figure} sort={current ? (ascending ? 'ascending' : 'descending') : undefined}>
      <ButtonBase
        onClick={turn}
        sx={{
          gap: 1,
          minHeight: 36,
          borderRadius: 1,
          font: 'inherit',
          color: current ? 'text.primary' : 'inherit',
          flexDirection: figure ? 'row-reverse' : 'row',
          '&:hover': { color: 'text.primary' },
        }}
      >
        {children}
        {current && <Arrow sx={{ fontSize: 16 }} />}
      </ButtonBase>
    </TableCell>
  );
}

interface EntryRowProps {
  entry: Entry;
  at: number;
  actions: EntryActions;
  selection?: EntrySelection;
  itemProps: object;
  marked: boolean;
  tabIndex: number;
}

function EntryRow({ entry, at, actions, selection, itemProps, marked, tabIndex }: EntryRowProps) {
  const { t } = useTranslation('files');
  const format = useFormat();
  const { size, added } = useEntryFacts(entry);
  const file = entry.kind === 'file' ? entry.file : null;
  const { ref, onMouseDown, over, away } = useDragged(entry);
  const drag = over ? 'over' : away ? 'away' : undefined;
  return (
    <TableRow at={at} selected={selection?.has(entry)} marked={marked} {...{ ref, onMouseDown, drag }}>
      <TableCell>
        {selection?.active && <SelectionMark entry={entry} selection={selection} tabIndex={tabIndex} />}
        <EntryMiniature entry={entry} />
        <Box sx={{ minWidth: 0, py: { xs: 2, md: entry.path ? 2 : 0 } }}>
          <Typography component="div" title={entryName(entry)}>
            <EntryControl entry={entry} actions={actions} selection={selection} itemProps={itemProps}>
              {entryName(entry)}
            </EntryControl>
          </Typography>
          <EntryLocation entry={entry} />
          <Typography variant="body2" color="textSecondary" noWrap sx={{ display: { md: 'none' } }}>
            {size} · {added}
          </Typography>
        </Box>
        <MirrorBadge entry={entry} />
        <NoDownloadBadge entry={entry} />
        <FailedBadge entry={entry} />
      </TableCell>
      <TableCell wide figure>
        {size}
      </TableCell>
      <TableCell wide figure>
        {added}
      </TableCell>
      <TableCell wide figure>
        {file && format.number(file.viewCount)}
      </TableCell>
      <TableCell wide figure>
        {file && format.number(file.downloadCount)}
      </TableCell>
      <TableCell figure>
        <Box sx={{ display: 'flex', ml: -2, mr: -2 }}>
          {file?.can.download && (
            <Tooltip title={t('actions.download')}>
              <IconButton
                component="a"
                href={downloadAddress(file)}
                download
                tabIndex={tabIndex}
                aria-label={`${t('actions.download')}: ${file.originalName}`}
                sx={{ position: 'relative', zIndex: 1, display: { xs: 'none', md: 'inline-flex' } }}
              >
                <DownloadRounded />
              </IconButton>
            </Tooltip>
          )}
          <EntryMenuButton entry={entry} actions={actions} tabIndex={tabIndex} />
        </Box>
      </TableCell>
    </TableRow>
  );
}
