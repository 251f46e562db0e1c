import { useEffect, useRef, type MouseEvent, type PointerEvent } from 'react';

const longPressMs = 500;
/** A pointer that moves further, in pixels, scrolls or drags. */
const slack = 8;

/**
 * Tells of a press that lasts half a second and stays in its place. The press that ends it is no click:
 * `endsLongPress` says so, once.
 */
export function useLongPress(onLongPress: (() => unknown) | undefined) {
  const press = useRef<{ timer: ReturnType<typeof setTimeout>; x: number; y: number } | null>(null);
  const fired = useRef(false);
  const stop = () => {
    if (press.current) clearTimeout(press.current.timer);
    press.current = null;
  };
  useEffect(() => stop, []);

  const onPointerDown = ({ button, clientX: x, clientY: y }: PointerEvent) => {
    stop();
    fired.current = false;
    if (!onLongPress || button !== 0) return;
    const timer = setTimeout(() => {
      fired.current = true;
      onLongPress();
    }, longPressMs);
    press.current = { timer, x, y };
  };
  const onPointerMove = ({ clientX, clientY }: PointerEvent) => {
    const at = press.current;
    if (at && Math.hypot(clientX - at.x, clientY - at.y) > slack) stop();
  };
  // On touch screens a long press would also open the browser's own menu.
  const onContextMenu = (event: MouseEvent) => {
    const { pointerType } = event.nativeEvent as unknown as { pointerType?: string };
    if (onLongPress && pointerType === 'touch') event.preventDefault();
  };
  return {
    handlers: { onPointerDown, onPointerMove, onPointerUp: stop, onPointerCancel: stop, onContextMenu },
    endsLongPress: () => {
      const was = fired.current;
      fired.current = false;
      return was;
    },
  };
}
