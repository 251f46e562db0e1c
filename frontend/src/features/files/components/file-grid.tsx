import FolderRounded from '@mui/icons-material/FolderRounded';
import Box from '@mui/material/Box';
import Card from '@mui/material/Card';
import Typography from '@mui/material/Typography';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useArrowKeys } from '../../../shared/browse/use-arrow-keys';
import { VirtualItems, type ItemsHandle } from '../../../shared/browse/virtual-items';
import { entryKey, entryName, extensionOf, type Entry } from '../entries';
import type { EntryActions } from './entry-actions';
import { EntryControl } from './entry-control';
import { useEntryFacts } from './entry-facts';
import { EntryMenuButton } from './entry-menu-button';
import type { EntriesProps } from './file-table';
import { FileTypeIcon } from './file-type-icon';

const cardHeight = 176;

/** Folders and files as cards. */
export function FileGrid({ entries, actions, onNearEnd }: Pick<EntriesProps, 'entries' | 'actions' | 'onNearEnd'>) {
  const { t } = useTranslation('files');
  const box = useRef<HTMLDivElement>(null);
  const items = useRef<ItemsHandle>(null);
  const { active, itemProps, onKeyDown } = useArrowKeys({ count: entries.length, box, items });
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
            itemProps={itemProps(index)}
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
  itemProps: object;
  tabIndex: number;
}

function EntryCard({ entry, actions, itemProps, tabIndex }: CardProps) {
  const { size } = useEntryFacts(entry);
  return (
    <Card
      role="listitem"
      sx={{
        position: 'relative',
        display: 'flex',
        flexDirection: 'column',
        height: cardHeight,
        transition: (theme) => theme.transitions.create('border-color'),
        '&:hover': { borderColor: 'outline' },
      }}
    >
      <Box
        sx={{
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
      <Box sx={{ display: 'flex', alignItems: 'center', pl: 3, pr: 1, py: 2 }}>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Typography variant="subtitle2" component="div" title={entryName(entry)}>
            <EntryControl entry={entry} actions={actions} itemProps={itemProps}>
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

function EntryPicture({ entry }: { entry: Entry }) {
  if (entry.kind === 'folder') return <FolderRounded aria-hidden sx={{ fontSize: 48, color: 'text.secondary' }} />;
  return (
    <>
      <FileTypeIcon file={entry.file} size={40} />
      <Typography variant="caption" color="textSecondary" aria-hidden>
        {extensionOf(entry.file.originalName).slice(1).toUpperCase()}
      </Typography>
    </>
  );
}
