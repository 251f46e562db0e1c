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
import { DraggedContext, type DropData } from './dragged';
import { DraggedThings } from './dragged-things';
import type { Place } from './folder-tree';

/** The name of the drop place that lies behind all others. */
export const areaPlace = 'area';

interface Props {
  /** What is chosen; whoever drags one of it drags all of it. */
  chosen: readonly Entry[];
  onMove: (entries: readonly Entry[], place: Place) => void;
  children: ReactNode;
}

// Spoken by the message that tells what was moved; the keyboard and screen readers have the dialog instead.
const silence: Announcements = {
  onDragStart: () => undefined,
  onDragOver: () => undefined,
  onDragEnd: () => undefined,
  onDragCancel: () => undefined,
};

/** Inside it folders and files are dragged with the mouse onto folders, parts of the path, or the area itself. */
export function DragArea({ chosen, onMove, children }: Props) {
  const { t } = useTranslation('files');
  const [dragged, setDragged] = useState<readonly Entry[]>([]);
  // A press of the mouse is no drag before it has gone some way.
  const sensors = useSensors(useSensor(MouseSensor, { activationConstraint: { distance: 8 } }));
  const keys = useMemo(() => new Set(dragged.map(entryKey)), [dragged]);
  const end = () => setDragged([]);
  const onDragStart = ({ active }: DragStartEvent) => {
    const { entry } = active.data.current as { entry: Entry };
    const all = chosen.some((one) => entryKey(one) === active.id) ? chosen : [entry];
    swallowClick();
    setDragged(all);
  };
  const onDragEnd = ({ over }: DragEndEvent) => {
    const place = (over?.data.current as DropData | undefined)?.place;
    end();
    if (place) onMove(dragged, place);
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={nearestPlace}
      measuring={{ droppable: { strategy: MeasuringStrategy.Always } }}
      accessibility={{ announcements: silence, screenReaderInstructions: { draggable: t('moving.byMenu') } }}
      {...{ onDragStart, onDragEnd }}
      onDragCancel={end}
    >
      <DraggedContext value={keys}>{children}</DraggedContext>
      <DragOverlay dropAnimation={null} modifiers={[besidePointer]} zIndex={1400}>
        {dragged.length > 0 && <DraggedThings entries={dragged} />}
      </DragOverlay>
    </DndContext>
  );
}

/** The place under the pointer; the area only where nothing else is. */
const nearestPlace: CollisionDetection = (args) => {
  const under = pointerWithin(args);
  const exact = under.filter(({ id }) => id !== areaPlace);
  return exact.length > 0 ? exact : under;
};

const besidePointer: Modifier = ({ activatorEvent, draggingNodeRect, transform }) => {
  if (!draggingNodeRect || !(activatorEvent instanceof MouseEvent)) return transform;
  const { clientX, clientY } = activatorEvent;
  return {
    ...transform,
    x: transform.x + clientX - draggingNodeRect.left + 12,
    y: transform.y + clientY - draggingNodeRect.top + 12,
  };
};

/** The press that ends a drag on the thing itself opens nothing. */
function swallowClick(): void {
  const swallow = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  addEventListener('click', swallow, true);
  const stop = () => setTimeout(() => removeEventListener('click', swallow, true));
  addEventListener('mouseup', stop, { once: true, capture: true });
}
