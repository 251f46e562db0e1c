import Box from '@mui/material/Box';
import type { BoxProps } from '@mui/material/Box';
import { useState, type ReactNode } from 'react';
import type { StoredFile } from '../entries';

/** A photograph has its subject in the middle; a page (Office, text, PDF, SVG, scan) begins at its top. */
export const isPhotograph = (mimeType: string) => /^image\/(?!svg|tiff)/.test(mimeType);

interface Props {
  file: Pick<StoredFile, 'thumbnailUrl' | 'mimeType'>;
  sx: BoxProps['sx'];
  /** Shown where the file has no thumbnail or it cannot be loaded. */
  fallback: ReactNode;
}

/** The small picture of a file, framed because most pages are as white as the screen. Decorative: the name stands beside it. */
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
          objectFit: 'cover',
          objectPosition: isPhotograph(file.mimeType) ? 'center' : 'top',
        },
        ...(Array.isArray(sx) ? sx : [sx]),
      ]}
    />
  );
}
