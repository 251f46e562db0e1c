import { useEffect, useRef, type MouseEvent, type PointerEvent } from 'react';

const longPressMs = 500;
/** Pixels a pointer may move; beyond that it scrolls or drags. */
const MOVE_TOLERANCE = 8;

/**
 * Detects a press of half a second without movement. The click that follows must be ignored: `consumeLongPress` returns
 * true for it, once.
 */
export function useLongPress(onLongPress: (() => unknown) | undefined) {
  const pressRef = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number } | null>(null);
  const hasFiredRef = useRef(false);
  const stop = () => {
    if (pressRef.current) clearTimeout(pressRef.current.timer);
    pressRef.current = null;
  };
  useEffect(() => stop, []);

  const onPointerDown = ({ button, clientX: x, clientY: y }: PointerEvent) => {
    stop();
    hasFiredRef.current = false;
    if (!onLongPress || button !== 0) return;
    const timer = setTimeout(() => {
      hasFiredRef.current = true;
      onLongPress();
    }, longPressMs);
    pressRef.current = { timer, x, y };
  };
  const onPointerMove = ({ clientX, clientY }: PointerEvent) => {
    const start = pressRef.current;
    if (start && Math.hypot(clientX - start.x, clientY - start.y) > MOVE_TOLERANCE) stop();
  };
  // On touch screens a long press would also open the browser's context menu.
  const onContextMenu = (event: MouseEvent) => {
    const { pointerType } = event.nativeEvent as unknown as { pointerType?: string };
    if (onLongPress && pointerType === 'touch') event.preventDefault();
  };
  return {
    handlers: { onPointerDown, onPointerMove, onPointerUp: stop, onPointerCancel: stop, onContextMenu },
    consumeLongPress: () => {
      const hadFired = hasFiredRef.current;
      hasFiredRef.current = false;
      return hadFired;
    },
  };
}
