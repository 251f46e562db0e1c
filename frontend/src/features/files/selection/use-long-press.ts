import { useEffect, useRef, type PointerEvent } from 'react';

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
  const isTouchRef = useRef(false);
  const stop = () => {
    if (pressRef.current) clearTimeout(pressRef.current.timer);
    pressRef.current = null;
  };
  useEffect(() => stop, []);

  const onPointerDown = ({ button, pointerType, clientX: x, clientY: y }: PointerEvent) => {
    stop();
    isTouchRef.current = pointerType === 'touch';
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
  return {
    handlers: { onPointerDown, onPointerMove, onPointerUp: stop, onPointerCancel: stop },
    /** Whether the last press was by a finger; the browser then asks for a context menu at each long press. */
    isTouch: () => isTouchRef.current,
    cancel: stop,
    consumeLongPress: () => {
      const hadFired = hasFiredRef.current;
      hasFiredRef.current = false;
      return hadFired;
    },
  };
}
