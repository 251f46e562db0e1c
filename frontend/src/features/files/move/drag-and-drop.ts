import { useDraggable, useDroppable } from '@dnd-kit/core';
import { createContext, useCallback, useContext } from 'react';
import { abilitiesOf, entryKey, type Entry } from '../entries';
import type { MoveTarget, ZoneTarget } from './folder-tree';

/** The keys of the entries being dragged; empty if there are none. */
export const DraggedKeysContext = createContext<ReadonlySet<string>>(new Set());

/** The data attached to a drop target. */
export interface DropData {
  /** null where nothing can be dropped, such as on the dragged entry itself. */
  target: MoveTarget | ZoneTarget | null;
}

/**
 * Makes a folder or file draggable, and a folder a drop target. Put `ref` and `onMouseDown` on its row or card.
 * `isDragged` is true while it is being dragged, `isDropTarget` while the dragged entries would be dropped into it.
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
    // A dragged entry is a drop target without effect: otherwise the list behind it would accept the drop.
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

/** Makes an element a drop target. */
export function useDropTarget(dropId: string, target: MoveTarget | null) {
  const draggedKeys = useContext(DraggedKeysContext);
  const { setNodeRef, isOver } = useDroppable({
    id: dropId,
    data: { target } satisfies DropData,
    disabled: target === null,
  });
  return { ref: setNodeRef, isDropTarget: isOver && draggedKeys.size > 0 };
}
