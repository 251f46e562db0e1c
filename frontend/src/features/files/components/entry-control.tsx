import Box from '@mui/material/Box';
import type { KeyboardEvent, MouseEvent, ReactNode } from 'react';
import { Link } from 'react-router';
import { abilitiesOf, isReadOnly, type Entry } from '../entries';
import { useLongPress } from '../selection/use-long-press';
import type { RowSelection } from '../selection/use-row-selection';
import type { EntryActions } from './entry-actions';

const stretchedSx = {
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
  WebkitTouchCallout: 'none',
  '&::after': { content: '""', position: 'absolute', inset: 0, borderRadius: 'inherit' },
  '&:focus-visible': { outline: 'none' },
  '&:focus-visible::after': { outline: 2, outlineStyle: 'solid', outlineColor: 'primary.main', outlineOffset: -2 },
} as const;

interface Props {
  entry: Entry;
  actions: EntryActions;
  /** Undefined if nothing can be selected. */
  selection?: RowSelection;
  /** Props that include the element in arrow-key navigation. */
  itemProps: object;
  children: ReactNode;
}

/**
 * Opens a folder or previews a file when its row or card is clicked anywhere. A long press or Ctrl+click selects it,
 * Shift+click selects everything up to it. F2 renames, Delete deletes, Space previews a file; with Ctrl or Shift, Space
 * selects. A right click, Shift+F10 or the menu key opens the menu; on touch screens only its button does.
 */
export function EntryControl({ entry, actions, selection, itemProps, children }: Props) {
  const { handlers, isTouch, cancel, consumeLongPress } = useLongPress(
    // Doesn't deselect a selected entry: the long press may start a drag.
    selection && (() => selection.isSelected || selection.toggle(entry)),
  );
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
      event.preventDefault();
      actions.openMenu(entry, event.currentTarget);
    } else if (handleEntryKey(event, entry, actions, selection)) event.preventDefault();
  };
  const onKeyUp = (event: KeyboardEvent) => {
    // Some browsers fire the click of a button only on keyup.
    if (event.key === ' ') event.preventDefault();
  };
  const onClick = (event: MouseEvent) => {
    const shouldSelect = selection && (selection.isActive || event.shiftKey || event.ctrlKey || event.metaKey);
    if (consumeLongPress()) event.preventDefault();
    else if (shouldSelect) {
      event.preventDefault();
      if (event.shiftKey) selection.extendTo(entry);
      else selection.toggle(entry);
    } else if (entry.kind === 'file') actions.preview(entry.file);
  };
  const onContextMenu = (event: MouseEvent) => {
    event.preventDefault();
    // A long press of a finger selects.
    if (isTouch()) return;
    cancel();
    actions.openMenu(entry, { left: event.clientX, top: event.clientY });
  };
  const commonProps = { sx: stretchedSx, onClick, onKeyDown, onKeyUp, onContextMenu, ...handlers, ...itemProps };
  if (entry.kind === 'file') {
    return (
      <Box component="button" type="button" {...commonProps}>
        {children}
      </Box>
    );
  }
  return (
    <Box component={Link} to={actions.folderUrl(entry.folder)} draggable={false} {...commonProps}>
      {children}
    </Box>
  );
}

/** Handles a key pressed on an item; returns false if the key has no meaning there. */
function handleEntryKey(event: KeyboardEvent, entry: Entry, actions: EntryActions, selection?: RowSelection): boolean {
  const can = abilitiesOf(entry);
  const isEntryReadOnly = isReadOnly(entry);
  if (event.key === 'F2' && can.rename) actions.rename(entry);
  else if (event.key === 'F2' && isEntryReadOnly) actions.showReadOnlyError();
  else if (event.key === 'Delete' && selection?.isActive) return false;
  else if (event.key === 'Delete' && can.delete) actions.remove(entry);
  else if (event.key === 'Delete' && isEntryReadOnly) actions.showReadOnlyError();
  else if (event.key === ' ' && selection && event.shiftKey) selection.extendTo(entry);
  else if (event.key === ' ' && selection && (event.ctrlKey || event.metaKey)) selection.toggle(entry);
  else if (event.key === ' ' && entry.kind === 'file') actions.preview(entry.file);
  else return event.key === ' ';
  return true;
}
