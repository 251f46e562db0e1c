import { useDraggable, useDroppable } from '@dnd-kit/core';
import { createContext, useCallback, useContext } from 'react';
import { abilitiesOf, entryKey, type Entry } from '../entries';
import type { MoveTarget } from './folder-tree';

/** The keys of what is held by the mouse now; empty when nothing is. */
export const DraggedKeysContext = createContext<ReadonlySet<string>>(new Set());

/** What a place that takes what is dropped on it tells of itself. */
export interface DropData {
  /** null where nothing can be dropped, such as on the thing itself. */
  target: MoveTarget | null;
}

/**
 * Lets a folder or file be dragged, and a folder take what is dropped on it. Its row or card gets `ref` and
 * `onMouseDown`; `away` while it is being dragged, `over` while what is held would fall into it.
 */
export function useDraggableEntry(entry: Entry) {
  const draggedKeys = useContext(DraggedKeysContext);
  const id = entryKey(entry);
  const isDragged = draggedKeys.has(id);
  const acceptsDrop = entry.kind === 'folder' && entry.folder.can.upload;
  const target: MoveTarget | null = acceptsDrop && !isDragged ? { id: entry.folder.id, name: entry.folder.name } : null;
  const { setNodeRef: setDraggable, listeners } = useDraggable({
    id,
    data: { entry },
    disabled: !abilitiesOf(entry).move,
  });
  const { setNodeRef: setDroppable, isOver } = useDroppable({
    id,
    data: { target } satisfies DropData,
    // What lies on itself is not above the list behind it.
    disabled: !acceptsDrop && !isDragged,
  });
  const ref = useCallback(
    (element: HTMLElement | null) => {
      setDraggable(element);
      setDroppable(element);
    },
    [setDraggable, setDroppable],
  );
  const onMouseDown = listeners?.onMouseDown as ((event: React.MouseEvent) => void) | undefined;
  return { ref, onMouseDown, isDragged, isDropTarget: isOver && target !== null };
}

/** Lets a part of the page stand for a place into which things can be dropped. */
export function useDropTarget(dropId: string, target: MoveTarget | null) {
  const draggedKeys = useContext(DraggedKeysContext);
  const { setNodeRef, isOver } = useDroppable({
    id: dropId,
    data: { target } satisfies DropData,
    disabled: target === null,
  });
  return { ref: setNodeRef, isDropTarget: isOver && draggedKeys.size > 0 };
}
