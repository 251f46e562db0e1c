import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import { areaPlace } from './drag-area';
import { useDropPlace } from './dragged';
import type { Place } from './folder-tree';

interface Props {
  /** Where what is dropped beside the folders goes; null where that means nothing. */
  place: Place | null;
  children: ReactNode;
}

/** The part of the page with the folders and files, itself a place to drop things on. */
export function DropArea({ place, children }: Props) {
  const { ref, over } = useDropPlace(areaPlace, place);
  const frame = {
    content: '""',
    position: 'absolute',
    inset: -8,
    border: 2,
    borderStyle: 'dashed',
    borderColor: 'primary.main',
    borderRadius: 2,
    pointerEvents: 'none',
  };
  return (
    <Box ref={ref} sx={{ position: 'relative', minHeight: '40vh', '&::after': over ? frame : undefined }}>
      {children}
    </Box>
  );
}
