import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import { AREA_DROP_ID } from './drag-area';
import { useDropTarget } from './drag-and-drop';
import type { MoveTarget } from './folder-tree';

interface Props {
  /** Target of entries dropped outside the folders; null if that has no effect. */
  target: MoveTarget | null;
  children: ReactNode;
}

/** The area with the folders and files, itself a drop target. */
export function DropArea({ target, children }: Props) {
  const { ref, isDropTarget } = useDropTarget(AREA_DROP_ID, target);
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
    <Box ref={ref} sx={{ position: 'relative', minHeight: '40vh', '&::after': isDropTarget ? frame : undefined }}>
      {children}
    </Box>
  );
}
