import { useDraggable, useDroppable } from '@dnd-kit/core';
import { createContext, useCallback, useContext } from 'react';
import { abilitiesOf, entryKey, type Entry } from '../entries';
import type { Place } from './folder-tree';

/** The keys of what is held by the mouse now; empty when nothing is. */
export const DraggedContext = createContext<ReadonlySet<string>>(new Set());

/** What a place that takes what is dropped on it tells of itself. */
export interface DropData {
  /** null where nothing can be dropped, such as on the thing itself. */
  place: Place | null;
}

/**
 * Lets a folder or file be dragged, and a folder take what is dropped on it. Its row or card gets `ref` and
 * `onMouseDown`; `away` while it is being dragged, `over` while what is held would fall into it.
 */
export function useDragged(entry: Entry) {
  const dragged = useContext(DraggedContext);
  const id = entryKey(entry);
  const away = dragged.has(id);
  const takes = entry.kind === 'folder' && entry.folder.can.upload;
  const place: Place | null = takes && !away ? { id: entry.folder.id, name: entry.folder.name } : null;
  const { setNodeRef: setDraggable, listeners } = useDraggable({
    id,
    data: { entry },
    disabled: !abilitiesOf(entry).move,
  });
  const { setNodeRef: setDroppable, isOver } = useDroppable({
    id,
    data: { place } satisfies DropData,
    // What lies on itself is not above the list behind it.
    disabled: !takes && !away,
  });
  const ref = useCallback(
    (element: HTMLElement | null) => {
      setDraggable(element);
      setDroppable(element);
    },
    [setDraggable, setDroppable],
  );
  const onMouseDown = listeners?.onMouseDown as ((event: React.MouseEvent) => void) | undefined;
  return { ref, onMouseDown, away, over: isOver && place !== null };
}

/** Lets a part of the page stand for a place into which things can be dropped. */
export function useDropPlace(name: string, place: Place | null) {
  const dragged = useContext(DraggedContext);
  const { setNodeRef, isOver } = useDroppable({
    id: name,
    data: { place } satisfies DropData,
    disabled: place === null,
  });
  return { ref: setNodeRef, over: isOver && dragged.size > 0 };
}
