import Box from '@mui/material/Box';
import FolderRounded from '@mui/icons-material/FolderRounded';
import type { Entry } from '../entries';
import { FileTypeIcon } from './file-type-icon';
import { Thumbnail } from './thumbnail';

/** Icon of a folder or of a file's type. Decorative: the name is next to it. */
export function EntryIcon({ entry, size = 20 }: { entry: Entry; size?: number }) {
  if (entry.kind === 'file') return <FileTypeIcon file={entry.file} size={size} />;
  return <FolderRounded aria-hidden sx={{ flex: 'none', fontSize: size, color: 'text.secondary' }} />;
}

/** A file's thumbnail if it has one, otherwise the icon of its type. Decorative as well. */
export function EntryThumbnail({ entry }: { entry: Entry }) {
  const icon = <EntryIcon entry={entry} />;
  return (
    // Icons get the width of a thumbnail so that the names align.
    <Box sx={{ display: 'grid', flex: 'none', placeItems: 'center', width: 28, height: 28 }}>
      {entry.kind === 'folder' ? (
        icon
      ) : (
        <Thumbnail file={entry.file} fallback={icon} sx={{ width: 28, height: 28, borderRadius: '2px' }} />
      )}
    </Box>
  );
}
