import {
  DndContext,
  DragOverlay,
  MeasuringStrategy,
  MouseSensor,
  pointerWithin,
  useSensor,
  useSensors,
  type Announcements,
  type CollisionDetection,
  type DragEndEvent,
  type DragStartEvent,
  type Modifier,
} from '@dnd-kit/core';
import { useMemo, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { entryKey, type Entry } from '../entries';
import { DraggedKeysContext, type DropData } from './drag-and-drop';
import { DragPreview } from './drag-preview';
import type { MoveTarget } from './folder-tree';

/** The ID of the drop target behind all others. */
export const AREA_DROP_ID = 'area';

interface Props {
  /** If one of the selected entries is dragged, all of them are. */
  selectedEntries: readonly Entry[];
  onMove: (entries: readonly Entry[], target: MoveTarget) => void;
  children: ReactNode;
}

// The toast after a move is announced; keyboard and screen reader users move entries with the dialog instead.
const silentAnnouncements: Announcements = {
  onDragStart: () => undefined,
  onDragOver: () => undefined,
  onDragEnd: () => undefined,
  onDragCancel: () => undefined,
};

/** Lets folders and files inside be dragged with the mouse onto folders, parts of the path, or the area itself. */
export function DragArea({ selectedEntries, onMove, children }: Props) {
  const { t } = useTranslation('files');
  const [draggedEntries, setDraggedEntries] = useState<readonly Entry[]>([]);
  // A click becomes a drag only after the pointer has moved some distance.
  const sensors = useSensors(useSensor(MouseSensor, { activationConstraint: { distance: 8 } }));
  const draggedKeys = useMemo(() => new Set(draggedEntries.map(entryKey)), [draggedEntries]);
  const clearDragged = () => setDraggedEntries([]);
  const onDragStart = ({ active }: DragStartEvent) => {
    const { entry } = active.data.current as { entry: Entry };
    const toDrag = selectedEntries.some((selectedEntry) => entryKey(selectedEntry) === active.id)
      ? selectedEntries
      : [entry];
    suppressNextClick();
    setDraggedEntries(toDrag);
  };
  const onDragEnd = ({ over }: DragEndEvent) => {
    const target = (over?.data.current as DropData | undefined)?.target;
    clearDragged();
    if (target) onMove(draggedEntries, target);
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={preferInnerTarget}
      measuring={{ droppable: { strategy: MeasuringStrategy.Always } }}
      accessibility={{
        announcements: silentAnnouncements,
        screenReaderInstructions: { draggable: t('moving.byMenu') },
      }}
      {...{ onDragStart, onDragEnd }}
      onDragCancel={clearDragged}
    >
      <DraggedKeysContext value={draggedKeys}>{children}</DraggedKeysContext>
      <DragOverlay dropAnimation={null} modifiers={[offsetFromPointer]} zIndex={1400}>
        {draggedEntries.length > 0 && <DragPreview entries={draggedEntries} />}
      </DragOverlay>
    </DndContext>
  );
}

/** Picks the drop target under the pointer; the area only if there is no other. */
const preferInnerTarget: CollisionDetection = (args) => {
  const collisions = pointerWithin(args);
  const innerCollisions = collisions.filter(({ id }) => id !== AREA_DROP_ID);
  return innerCollisions.length > 0 ? innerCollisions : collisions;
};

const offsetFromPointer: Modifier = ({ activatorEvent, draggingNodeRect, transform }) => {
  if (!draggingNodeRect || !(activatorEvent instanceof MouseEvent)) return transform;
  const { clientX, clientY } = activatorEvent;
  return {
    ...transform,
    x: transform.x + clientX - draggingNodeRect.left + 12,
    y: transform.y + clientY - draggingNodeRect.top + 12,
  };
};

/** Releasing the mouse over the dragged entry must not open it. */
function suppressNextClick(): void {
  const suppress = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  addEventListener('click', suppress, true);
  const stop = () => setTimeout(() => removeEventListener('click', suppress, true));
  addEventListener('mouseup', stop, { once: true, capture: true });
}
