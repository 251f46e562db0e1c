import Box from '@mui/material/Box';
import type { BoxProps } from '@mui/material/Box';
import { useState, type ReactNode } from 'react';
import type { StoredFile } from '../entries';

/** Photos are cropped around the centre, where the subject is; pages (Office, text, PDF, scans) are aligned to the top. */
export const isPhotograph = (mimeType: string) => /^image\/(?!svg|tiff)/.test(mimeType);

/** Drawings are shown whole: their margins belong to them. */
const isDrawing = (mimeType: string) => mimeType.startsWith('image/svg');

interface Props {
  file: Pick<StoredFile, 'thumbnailUrl' | 'mimeType'>;
  sx: BoxProps['sx'];
  /** Shown if the file has no thumbnail or it can't be loaded. */
  fallback: ReactNode;
}

/**
 * A file's thumbnail, with a border because most pages are as white as the background. Decorative: the name is next to
 * it.
 */
export function Thumbnail({ file, sx, fallback }: Props) {
  const [hasFailed, setHasFailed] = useState(false);
  if (!file.thumbnailUrl || hasFailed) return fallback;
  return (
    <Box
      component="img"
      src={file.thumbnailUrl}
      alt=""
      loading="lazy"
      draggable={false}
      onError={() => setHasFailed(true)}
      sx={[
        {
          boxSizing: 'border-box',
          border: 1,
          borderColor: 'outline',
          bgcolor: 'background.paper',
          objectFit: isDrawing(file.mimeType) ? 'contain' : 'cover',
          objectPosition: isPhotograph(file.mimeType) || isDrawing(file.mimeType) ? 'center' : 'top',
        },
        ...(Array.isArray(sx) ? sx : [sx]),
      ]}
    />
  );
}
