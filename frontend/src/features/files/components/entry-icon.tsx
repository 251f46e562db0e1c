import { useState } from 'react';
import Box from '@mui/material/Box';
import FolderRounded from '@mui/icons-material/FolderRounded';
import type { Entry } from '../entries';
import { FileTypeIcon } from './file-type-icon';

/** The picture of a folder or of a file's type. Decorative: the name stands beside it. */
export function EntryIcon({ entry, size = 20 }: { entry: Entry; size?: number }) {
  if (entry.kind === 'file') return <FileTypeIcon file={entry.file} size={size} />;
  return <FolderRounded aria-hidden sx={{ flex: 'none', fontSize: size, color: 'text.secondary' }} />;
}

/** What a list shows beside a name: the small picture of a file where there is one, else that of its type. Decorative, too. */
export function EntryMiniature({ entry }: { entry: Entry }) {
  const [broken, setBroken] = useState(false);
  const source = entry.kind === 'file' ? entry.file.thumbnailUrl : null;
  if (!source || broken) return <EntryIcon entry={entry} />;
  return (
    <Box
      component="img"
      src={source}
      alt=""
      width={24}
      height={24}
      loading="lazy"
      draggable={false}
      onError={() => setBroken(true)}
      // As wide as the icon of those that have none, so that names stand below one another.
      sx={{ flex: 'none', objectFit: 'cover', objectPosition: 'top', borderRadius: '2px', mx: '-2px' }}
    />
  );
}
