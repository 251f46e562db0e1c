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
  type UniqueIdentifier,
} from '@dnd-kit/core';
import { useMemo, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schema } from '../../../shared/api/client';
import { entryKey, type Entry } from '../entries';
import { DraggedKeysContext, type DropData } from './drag-and-drop';
import { DragPreview } from './drag-preview';
import type { MoveTarget, ZoneTarget } from './folder-tree';
import { ZONE_DROP_PREFIX, ZONE_PANEL_DROP_ID, ZoneDropPanel } from './zone-drop-panel';

/** The ID of the drop target behind all others. */
export const AREA_DROP_ID = 'area';

interface Props {
  /** The zone of the entries; undefined while it is loading. */
  zone: Schema<'ZoneDto'> | undefined;
  /** If one of the selected entries is dragged, all of them are. */
  selectedEntries: readonly Entry[];
  onMove: (entries: readonly Entry[], target: MoveTarget | ZoneTarget) => void;
  children: ReactNode;
}

// The toast after a move is announced; keyboard and screen reader users move entries with the dialog instead.
const silentAnnouncements: Announcements = {
  onDragStart: () => undefined,
  onDragOver: () => undefined,
  onDragEnd: () => undefined,
  onDragCancel: () => undefined,
};

/** Lets folders and files inside be dragged with the mouse onto folders, parts of the path, the area itself, or other zones. */
export function DragArea({ zone, selectedEntries, onMove, children }: Props) {
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
      {zone && draggedEntries.length > 0 && <ZoneDropPanel zone={zone} />}
      <DragOverlay dropAnimation={null} modifiers={[offsetFromPointer]} zIndex={1400}>
        {draggedEntries.length > 0 && <DragPreview entries={draggedEntries} />}
      </DragOverlay>
    </DndContext>
  );
}

/** Picks the drop target under the pointer that is in front of the others. */
const preferInnerTarget: CollisionDetection = (args) => {
  const collisions = pointerWithin(args);
  const front = Math.max(0, ...collisions.map(({ id }) => layerOf(id)));
  return collisions.filter(({ id }) => layerOf(id) === front);
};

/** The zones are in front of their panel, that in front of folders, and these in front of the area. */
function layerOf(id: UniqueIdentifier): number {
  if (id === AREA_DROP_ID) return 0;
  if (id === ZONE_PANEL_DROP_ID) return 2;
  return String(id).startsWith(ZONE_DROP_PREFIX) ? 3 : 1;
}

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
