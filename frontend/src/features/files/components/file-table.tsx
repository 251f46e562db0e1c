import ArrowDownwardRounded from '@mui/icons-material/ArrowDownwardRounded';
import ArrowUpwardRounded from '@mui/icons-material/ArrowUpwardRounded';
import DownloadRounded from '@mui/icons-material/DownloadRounded';
import Box from '@mui/material/Box';
import ButtonBase from '@mui/material/ButtonBase';
import IconButton from '@mui/material/IconButton';
import Tooltip from '@mui/material/Tooltip';
import Typography from '@mui/material/Typography';
import { memo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Sort } from '../../../shared/browse/sort';
import { TableCell, TableFrame, TableRow } from '../../../shared/browse/table';
import type { ItemRange } from '../../../shared/browse/blocks';
import { PlaceholderItem } from '../../../shared/browse/placeholder-item';
import { useArrowKeyNavigation, type GetItemProps } from '../../../shared/browse/use-arrow-key-navigation';
import { VirtualItems, type VirtualItemsHandle } from '../../../shared/browse/virtual-items';
import { useFormat } from '../../../shared/hooks/use-format';
import { entryKey, entryName, type Entry } from '../entries';
import type { FileSortKey } from '../../../shared/files/file-lists';
import { useDraggableEntry } from '../move/drag-and-drop';
import { downloadUrl } from '../../../shared/files/preview-kind';
import { SelectionCheckbox } from '../selection/selection-checkbox';
import { useRowSelection, type SelectableProps } from '../selection/use-row-selection';
import type { EntrySelection } from '../selection/use-selection';
import type { EntryActions } from './entry-actions';
import { EntryControl } from './entry-control';
import { useEntryDetails } from './use-entry-details';
import { EntryLocation } from './entry-location';
import { EntryMenuButton } from './entry-menu-button';
import { EntryThumbnail } from './entry-icon';
import { RenderingFailureBadge } from '../rendering-failures/rendering-failure-badge';
import { MirrorBadge } from './mirror-badge';
import { NoDownloadBadge } from './no-download-badge';
import { FileRequestBadge } from '../requests/file-request-badge';
import { useFocusItem } from '../focus/use-focus-item';

const columns = 'minmax(0, 1fr) 96px 112px 112px 96px 80px';

export interface EntriesProps {
  /** By position; undefined where nothing is loaded. */
  entries: readonly (Entry | undefined)[];
  /** Total number of entries in the folder. */
  total: number;
  actions: EntryActions;
  selection?: EntrySelection;
  /** Undefined if the order can't be changed. */
  sort?: Sort<FileSortKey>;
  onSort: (sort: Sort<FileSortKey>) => void;
  /** The entry requested by the URL, which is highlighted and gets the focus; its index is -1 if there is none. */
  requested: { index: number; key: string | null };
  /** Index of the file the reader was closed on, which gets the focus; -1 if there is none. */
  lastReadIndex: number;
  onNearEnd?: () => void;
  onRangeChange?: (range: ItemRange) => void;
}

/** Shows folders and files as rows. */
export function FileTable({
  entries,
  total,
  actions,
  selection,
  sort,
  onSort,
  requested,
  lastReadIndex,
  onNearEnd,
  onRangeChange,
}: EntriesProps) {
  const { t } = useTranslation('files');
  const box = useRef<HTMLDivElement>(null);
  const items = useRef<VirtualItemsHandle>(null);
  const { activeIndex, itemProps, onKeyDown, focusItem } = useArrowKeyNavigation({
    count: entries.length,
    containerRef: box,
    itemsRef: items,
  });
  useFocusItem(requested.index >= 0 ? requested.index : lastReadIndex, focusItem, box);
  return (
    <TableFrame ref={box} role="grid" label={t('list')} columns={columns} rowCount={total + 1} onKeyDown={onKeyDown}>
      <TableRow rowIndex={1} isHeader>
        <SortCell name="name" sort={sort} onSort={onSort}>
          {t('columns.name')}
        </SortCell>
        <SortCell name="size" sort={sort} onSort={onSort} figure>
          {t('columns.size')}
        </SortCell>
        <SortCell name="date" sort={sort} onSort={onSort} figure>
          {t('columns.added')}
        </SortCell>
        <TableCell isHeader isNumeric>
          {t('columns.views')}
        </TableCell>
        <TableCell isHeader isNumeric>
          {t('columns.downloads')}
        </TableCell>
        <TableCell isHeader>
          <span className="z-visually-hidden">{t('columns.actions')}</span>
        </TableCell>
      </TableRow>
      <VirtualItems
        ref={items}
        count={entries.length}
        itemHeight={44}
        getKey={(index) => itemKey(entries, index)}
        pinnedIndex={activeIndex}
        {...{ onNearEnd, onRangeChange }}
        renderItem={(index) => {
          const entry = entries[index];
          const isActive = index === activeIndex;
          if (!entry) return <EmptyRow index={index} itemProps={itemProps(index, isActive)} />;
          return (
            <EntryRow
              {...{ entry, index, actions, isActive, itemProps }}
              selectionActions={selection?.actions}
              isSelecting={selection?.isActive === true}
              isSelected={selection?.isSelected(entry) === true}
              isHighlighted={entryKey(entry) === requested.key}
            />
          );
        }}
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
      <TableCell isHeader isNumeric={figure}>
        {children}
      </TableCell>
    );
  }
  const isCurrent = sort.by === name;
  const isAscending = sort.order === 'asc';
  const Arrow = isAscending ? ArrowUpwardRounded : ArrowDownwardRounded;
  const changeSort = () =>
    onSort(isCurrent ? { by: name, order: isAscending ? 'desc' : 'asc' } : { by: name, order: 'asc' });
  return (
    <TableCell
      isHeader
      isNumeric={figure}
      sortDirection={isCurrent ? (isAscending ? 'ascending' : 'descending') : undefined}
    >
      <ButtonBase
        onClick={changeSort}
        sx={{
          gap: 1,
          minHeight: 36,
          borderRadius: 1,
          font: 'inherit',
          color: isCurrent ? 'text.primary' : 'inherit',
          flexDirection: figure ? 'row-reverse' : 'row',
          '&:hover': { color: 'text.primary' },
        }}
      >
        {children}
        {isCurrent && <Arrow sx={{ fontSize: 16 }} />}
      </ButtonBase>
    </TableCell>
  );
}

/** The key of an item, by its position while it isn't loaded. */
export const itemKey = (entries: readonly (Entry | undefined)[], index: number) => {
  const entry = entries[index];
  return entry ? entryKey(entry) : index;
};

/** Keeps the place of an entry that isn't loaded. */
function EmptyRow({ index, itemProps }: { index: number; itemProps: object }) {
  return (
    <TableRow rowIndex={index + 2}>
      <TableCell>
        <PlaceholderItem itemProps={itemProps} />
      </TableCell>
    </TableRow>
  );
}

export interface EntryItemProps extends SelectableProps {
  entry: Entry;
  index: number;
  actions: EntryActions;
  itemProps: GetItemProps;
  isHighlighted: boolean;
  /** Tab stops at this item. */
  isActive: boolean;
}

const EntryRow = memo(function EntryRow(props: EntryItemProps) {
  const { entry, index, actions, itemProps, isHighlighted, isActive } = props;
  const { t } = useTranslation('files');
  const selection = useRowSelection(props);
  const tabIndex = isActive ? 0 : -1;
  const format = useFormat();
  const { size, added } = useEntryDetails(entry);
  const file = entry.kind === 'file' ? entry.file : null;
  const { ref, onMouseDown, isDropTarget, isDragged } = useDraggableEntry(entry);
  const drag = isDropTarget ? 'over' : isDragged ? 'away' : undefined;
  return (
    <TableRow
      rowIndex={index + 2}
      selected={selection?.isSelected}
      isHighlighted={isHighlighted}
      {...{ ref, onMouseDown, dragState: drag }}
    >
      <TableCell>
        {selection && <SelectionCheckbox entry={entry} selection={selection} tabIndex={tabIndex} />}
        <EntryThumbnail entry={entry} />
        <Box sx={{ minWidth: 0, py: { xs: 2, md: entry.path ? 2 : 0 } }}>
          <Typography component="div" title={entryName(entry)}>
            <EntryControl {...{ entry, actions, selection }} itemProps={itemProps(index, isActive)}>
              {entryName(entry)}
            </EntryControl>
          </Typography>
          <EntryLocation entry={entry} />
          <Typography variant="body2" color="textSecondary" noWrap sx={{ display: { md: 'none' } }}>
            {size} · {added}
          </Typography>
        </Box>
        <MirrorBadge entry={entry} />
        <FileRequestBadge entry={entry} />
        <NoDownloadBadge entry={entry} />
        <RenderingFailureBadge entry={entry} />
      </TableCell>
      <TableCell hideOnMobile isNumeric>
        {size}
      </TableCell>
      <TableCell hideOnMobile isNumeric>
        {added}
      </TableCell>
      <TableCell hideOnMobile isNumeric>
        {file && format.number(file.viewCount)}
      </TableCell>
      <TableCell hideOnMobile isNumeric>
        {file && format.number(file.downloadCount)}
      </TableCell>
      <TableCell isNumeric>
        <Box sx={{ display: 'flex', ml: -2, mr: -2 }}>
          {file?.can.download && (
            <Tooltip title={t('actions.download')}>
              <IconButton
                component="a"
                href={downloadUrl(file)}
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
});
