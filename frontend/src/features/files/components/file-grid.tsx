import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useArrowKeys } from '../../../shared/browse/use-arrow-keys';
import { VirtualItems, type ItemsHandle } from '../../../shared/browse/virtual-items';
import { entryKey, entryName, extensionOf, type Entry } from '../entries';
import { useDragged } from '../move/dragged';
import { SelectionMark } from '../selection/selection-mark';
import type { EntrySelection } from '../selection/use-selection';
import type { EntryActions } from './entry-actions';
import { EntryControl } from './entry-control';
import { useEntryFacts } from './entry-facts';
import { EntryMenuButton } from './entry-menu-button';
import type { EntriesProps } from './file-table';
import { EntryIcon } from './entry-icon';
import { isPhotograph, Thumbnail } from './thumbnail';
import { FailedBadge } from '../failed/failed-badge';
import { MirrorBadge } from './mirror-badge';
import { NoDownloadBadge } from './no-download-badge';
import { useMarked } from '../wanted/use-marked';

const cardHeight = 176;

type GridProps = Pick<EntriesProps, 'entries' | 'actions' | 'selection' | 'marked' | 'returned' | 'onNearEnd'>;

/** Folders and files as cards. */
export function FileGrid({ entries, actions, selection, marked, returned, onNearEnd }: GridProps) {
  const { t } = useTranslation('files');
  const box = useRef<HTMLDivElement>(null);
  const items = useRef<ItemsHandle>(null);
  const { active, itemProps, onKeyDown, focus } = useArrowKeys({ count: entries.length, box, items });
  useMarked(marked >= 0 ? marked : returned, focus, box);
  return (
    <Box ref={box} role="list" aria-label={t('list')} onKeyDown={onKeyDown}>
      <VirtualItems
        ref={items}
        count={entries.length}
        minWidth={156}
        gap={12}
        height={cardHeight}
        keyOf={(index) => entryKey(entries[index]!)}
        keep={active}
        onNearEnd={onNearEnd}
        renderItem={(index) => (
          <EntryCard
            entry={entries[index]!}
            actions={actions}
            selection={selection}
            itemProps={itemProps(index)}
            marked={index === marked}
            tabIndex={index === active ? 0 : -1}
          />
        )}
      />
    </Box>
  );
}

interface CardProps {
  entry: Entry;
  actions: EntryActions;
  selection?: EntrySelection;
  itemProps: object;
  marked: boolean;
  tabIndex: number;
}

function EntryCard({ entry, actions, selection, itemProps, marked, tabIndex }: CardProps) {
  const { size } = useEntryFacts(entry);
  const selected = selection?.has(entry) === true;
  const { ref, onMouseDown, over, away } = useDragged(entry);
  return (
    <Card
      ref={ref}
      role="listitem"
      onMouseDown={onMouseDown}
      sx={{
        position: 'relative',
        display: 'flex',
        flexDirection: 'column',
        height: cardHeight,
        transition: (theme) => theme.transitions.create('border-color'),
        '&:hover': { borderColor: 'outline' },
        ...(away && { opacity: 0.5 }),
        ...((selected || over || marked) && { bgcolor: 'tint.accent', '&, &:hover': { borderColor: 'primary.main' } }),
        ...(over && { outline: 1, outlineStyle: 'solid', outlineColor: 'primary.main' }),
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
        <EntryPicture entry={entry} />
      </Box>
      {selection?.active && (
        <Box sx={{ position: 'absolute', top: 12, left: 12, zIndex: 1, display: 'flex', bgcolor: 'background.paper' }}>
          <SelectionMark entry={entry} selection={selection} tabIndex={tabIndex} />
        </Box>
      )}
      <Box sx={{ position: 'absolute', top: 12, right: 12, display: 'flex' }}>
        <MirrorBadge entry={entry} />
        <NoDownloadBadge entry={entry} />
        <FailedBadge entry={entry} />
      </Box>
      <Box sx={{ display: 'flex', alignItems: 'center', pl: 3, pr: 1, py: 2 }}>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Typography variant="subtitle2" component="div" title={entryName(entry)}>
            <EntryControl entry={entry} actions={actions} selection={selection} itemProps={itemProps}>
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
}

/** The thumbnail of a file where there is one, else the icon of its type. A page lies as a sheet on the card, cut below. */
function EntryPicture({ entry }: { entry: Entry }) {
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
