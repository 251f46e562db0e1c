import { useEffect, useEffectEvent } from 'react';
import type { Point, View } from './use-view';
import { wheelZoom } from './zoom';

/** Zooms by the wheel with Ctrl, and by two fingers; one finger scrolls, as everywhere. */
export function useZoomGestures(area: HTMLElement | null, view: View): void {
  const onWheel = useEffectEvent((event: WheelEvent) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    view.zoomTo(wheelZoom(view.zoom, event.deltaY), { x: event.clientX, y: event.clientY });
  });
  const zoomNow = useEffectEvent(() => view.zoom);
  const pinch = useEffectEvent((zoom: number, at: Point) => view.zoomTo(zoom, at));
  useEffect(() => {
    if (!area) return undefined;
    let start: { apart: number; zoom: number } | null = null;
    const onStart = ({ touches }: TouchEvent) => {
      start = touches.length === 2 ? { apart: apart(touches), zoom: zoomNow() } : null;
    };
    const onMove = (event: TouchEvent) => {
      if (!start || event.touches.length !== 2 || !event.cancelable) return;
      event.preventDefault();
      pinch((start.zoom * apart(event.touches)) / start.apart, between(event.touches));
    };
    const onWheelThere = (event: WheelEvent) => onWheel(event);
    // By touches, not pointers: two fingers that move are also a scroll, whose beginning takes the pointers away.
    area.addEventListener('wheel', onWheelThere, { passive: false });
    area.addEventListener('touchstart', onStart, { passive: true });
    area.addEventListener('touchmove', onMove, { passive: false });
    area.addEventListener('touchend', onStart, { passive: true });
    area.addEventListener('touchcancel', onStart, { passive: true });
    return () => {
      area.removeEventListener('wheel', onWheelThere);
      area.removeEventListener('touchstart', onStart);
      area.removeEventListener('touchmove', onMove);
      area.removeEventListener('touchend', onStart);
      area.removeEventListener('touchcancel', onStart);
    };
  }, [area]);
}

function apart(touches: TouchList): number {
  const [one, other] = [touches[0]!, touches[1]!];
  return Math.max(1, Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY));
}

function between(touches: TouchList): Point {
  const [one, other] = [touches[0]!, touches[1]!];
  return { x: (one.clientX + other.clientX) / 2, y: (one.clientY + other.clientY) / 2 };
}
