import Box from '@mui/material/Box';
import type { KeyboardEvent, ReactNode } from 'react';
import { Link } from 'react-router';
import type { Entry } from '../entries';
import type { EntryActions } from './entry-actions';

const stretched = {
  display: 'block',
  maxWidth: '100%',
  overflow: 'hidden',
  textOverflow: 'ellipsis',
  whiteSpace: 'nowrap',
  p: 0,
  border: 0,
  bgcolor: 'transparent',
  color: 'inherit',
  font: 'inherit',
  textAlign: 'left',
  textDecoration: 'none',
  cursor: 'pointer',
  '&::after': { content: '""', position: 'absolute', inset: 0, borderRadius: 'inherit' },
  '&:focus-visible': { outline: 'none' },
  '&:focus-visible::after': { outline: 2, outlineStyle: 'solid', outlineColor: 'primary.main', outlineOffset: -2 },
} as const;

interface Props {
  entry: Entry;
  actions: EntryActions;
  /** What makes the arrow keys find it. */
  itemProps: object;
  children: ReactNode;
}

/**
 * What opens a folder or shows a file, wherever on its row or card it is pressed. F2 renames, Delete deletes, Space
 * shows a file.
 */
export function EntryControl({ entry, actions, itemProps, children }: Props) {
  const onKeyDown = (event: KeyboardEvent) => {
    const can = entry.kind === 'folder' ? entry.folder.can : entry.file.can;
    if (event.key === 'F2' && can.rename) actions.rename(entry);
    else if (event.key === 'Delete' && can.delete) actions.remove(entry);
    else return;
    event.preventDefault();
  };
  if (entry.kind === 'file') {
    return (
      <Box
        component="button"
        type="button"
        sx={stretched}
        onClick={() => actions.preview(entry.file)}
        onKeyDown={onKeyDown}
        {...itemProps}
      >
        {children}
      </Box>
    );
  }
  return (
    <Box component={Link} to={actions.addressOf(entry.folder)} sx={stretched} onKeyDown={onKeyDown} {...itemProps}>
      {children}
    </Box>
  );
}
