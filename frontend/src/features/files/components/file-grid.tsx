import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { memo, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { PlaceholderItem } from '../../../shared/browse/placeholder-item';
import { useArrowKeyNavigation } from '../../../shared/browse/use-arrow-key-navigation';
import { VirtualItems, type VirtualItemsHandle } from '../../../shared/browse/virtual-items';
import { entryKey, entryName, extensionOf, type Entry } from '../entries';
import { useDraggableEntry } from '../move/drag-and-drop';
import { SelectionCheckbox } from '../selection/selection-checkbox';
import { useRowSelection } from '../selection/use-row-selection';
import { EntryControl } from './entry-control';
import { useEntryDetails } from './use-entry-details';
import { EntryMenuButton } from './entry-menu-button';
import { itemKey, type EntriesProps, type EntryItemProps } from './file-table';
import { EntryIcon } from './entry-icon';
import { isPhotograph, Thumbnail } from './thumbnail';
import { FileRequestBadge } from '../requests/file-request-badge';
import { RenderingFailureBadge } from '../rendering-failures/rendering-failure-badge';
import { MirrorBadge } from './mirror-badge';
import { NoDownloadBadge } from './no-download-badge';
import { useFocusItem } from '../focus/use-focus-item';

const cardHeight = 176;

type GridProps = Pick<
  EntriesProps,
  'entries' | 'actions' | 'selection' | 'requested' | 'lastReadIndex' | 'onNearEnd' | 'onRangeChange'
>;

/** Shows folders and files as cards. */
export function FileGrid({ entries, actions, selection, requested, lastReadIndex, ...more }: GridProps) {
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
    <Box ref={box} role="list" aria-label={t('list')} onKeyDown={onKeyDown}>
      <VirtualItems
        ref={items}
        count={entries.length}
        minWidth={156}
        gap={12}
        itemHeight={cardHeight}
        getKey={(index) => itemKey(entries, index)}
        pinnedIndex={activeIndex}
        {...more}
        renderItem={(index) => {
          const entry = entries[index];
          const isActive = index === activeIndex;
          if (!entry) return <EmptyCard itemProps={itemProps(index, isActive)} />;
          return (
            <EntryCard
              {...{ entry, index, actions, isActive, itemProps }}
              selectionActions={selection?.actions}
              isSelecting={selection?.isActive === true}
              isSelected={selection?.isSelected(entry) === true}
              isHighlighted={entryKey(entry) === requested.key}
            />
          );
        }}
      />
    </Box>
  );
}

/** Keeps the place of an entry that isn't loaded. */
function EmptyCard({ itemProps }: { itemProps: object }) {
  return (
    <Card role="listitem" sx={{ position: 'relative', height: cardHeight }}>
      <PlaceholderItem itemProps={itemProps} />
    </Card>
  );
}

const EntryCard = memo(function EntryCard(props: EntryItemProps) {
  const { entry, index, actions, itemProps, isHighlighted, isSelected, isActive } = props;
  const selection = useRowSelection(props);
  const tabIndex = isActive ? 0 : -1;
  const { size } = useEntryDetails(entry);
  const { ref, onMouseDown, isDropTarget, isDragged } = useDraggableEntry(entry);
  return (
    <Card
      ref={ref}
      role="listitem"
      data-selectable=""
      onMouseDown={onMouseDown}
      sx={{
        position: 'relative',
        display: 'flex',
        flexDirection: 'column',
        height: cardHeight,
        transition: (theme) => theme.transitions.create('border-color'),
        '&:hover': { borderColor: 'outline' },
        ...(isDragged && { opacity: 0.5 }),
        ...((isSelected || isDropTarget || isHighlighted) && {
          bgcolor: 'tint.accent',
          '&, &:hover': { borderColor: 'primary.main' },
        }),
        ...(isDropTarget && { outline: 1, outlineStyle: 'solid', outlineColor: 'primary.main' }),
      }}
    >
      <Box
        sx={{
          position: 'relative',
          flex: 1,
          display: 'grid',
          placeContent: 'center',
          justifyItems: 'center',
          gap: 1,
          m: 2,
          mb: 0,
          borderRadius: 1,
          bgcolor: 'tint.neutral',
        }}
      >
        <EntryPreview entry={entry} />
      </Box>
      {selection && <SelectionCheckbox entry={entry} selection={selection} tabIndex={tabIndex} isInCorner />}
      <Box sx={{ position: 'absolute', top: 12, right: 12, display: 'flex' }}>
        <MirrorBadge entry={entry} />
        <FileRequestBadge entry={entry} />
        <NoDownloadBadge entry={entry} />
        <RenderingFailureBadge entry={entry} />
      </Box>
      <Box sx={{ display: 'flex', alignItems: 'center', pl: 3, pr: 1, py: 2 }}>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Typography variant="subtitle2" component="div" title={entryName(entry)}>
            <EntryControl {...{ entry, actions, selection }} itemProps={itemProps(index, isActive)}>
              {entryName(entry)}
            </EntryControl>
          </Typography>
          <Typography variant="caption" color="textSecondary" component="p" noWrap>
            {size}
          </Typography>
        </Box>
        <EntryMenuButton entry={entry} actions={actions} tabIndex={tabIndex} />
      </Box>
    </Card>
  );
});

/**
 * A file's thumbnail if it has one, otherwise the icon of its type. Pages are shown as a sheet, cropped at the bottom.
 */
function EntryPreview({ entry }: { entry: Entry }) {
  if (entry.kind === 'folder') return <EntryIcon entry={entry} size={48} />;
  const { mimeType, originalName } = entry.file;
  const inset = isPhotograph(mimeType) ? 0 : 8;
  return (
    <Thumbnail
      file={entry.file}
      sx={{
        position: 'absolute',
        top: inset,
        left: inset,
        width: `calc(100% - ${2 * inset}px)`,
        height: `calc(100% - ${inset}px)`,
        borderRadius: inset === 0 ? 'inherit' : '2px 2px 0 0',
        borderColor: 'divider',
        ...(inset > 0 && { borderBottom: 0 }),
      }}
      fallback={
        <>
          <EntryIcon entry={entry} size={40} />
          <Typography variant="caption" color="textSecondary" aria-hidden>
            {extensionOf(originalName).slice(1).toUpperCase()}
          </Typography>
        </>
      }
    />
  );
}
