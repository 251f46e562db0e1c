import FolderRounded from '@mui/icons-material/FolderRounded';
import type { Entry } from '../entries';
import { FileTypeIcon } from './file-type-icon';

/** The picture of a folder or of a file's type. Decorative: the name stands beside it. */
export function EntryIcon({ entry, size = 20 }: { entry: Entry; size?: number }) {
  if (entry.kind === 'file') return <FileTypeIcon file={entry.file} size={size} />;
  return <FolderRounded aria-hidden sx={{ flex: 'none', fontSize: size, color: 'text.secondary' }} />;
}
