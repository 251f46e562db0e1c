import { useEffect, useEffectEvent } from 'react';
import type { Point, View } from './use-view';
import { doubleTapZoom, wheelZoom } from './zoom';

/** Zooms by the wheel with Ctrl, by two fingers and by a double tap; one finger scrolls, as everywhere. */
export function useZoomGestures(area: HTMLElement | null, view: View): void {
  const onWheel = useEffectEvent((event: WheelEvent) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    view.zoomTo(wheelZoom(view.zoom, event.deltaY), { x: event.clientX, y: event.clientY });
  });
  const zoomNow = useEffectEvent(() => view.zoom);
  const pinch = useEffectEvent((zoom: number, at: Point) => view.zoomTo(zoom, at));
  const doubleTap = useEffectEvent((at: Point) => view.zoomTo(doubleTapZoom(view.zoom), at));
  useEffect(() => {
    if (!area) return undefined;
    const taps = new Taps(doubleTap);
    let start: { apart: number; zoom: number } | null = null;
    const onStart = (event: TouchEvent) => {
      const { touches } = event;
      start = touches.length === 2 ? { apart: apart(touches), zoom: zoomNow() } : null;
      taps.begin(event);
    };
    const onEnd = (event: TouchEvent) => {
      start = null;
      taps.end(event);
    };
    const onCancel = () => {
      start = null;
      taps.forget();
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
    area.addEventListener('touchend', onEnd, { passive: false });
    area.addEventListener('touchcancel', onCancel, { passive: true });
    return () => {
      area.removeEventListener('wheel', onWheelThere);
      area.removeEventListener('touchstart', onStart);
      area.removeEventListener('touchmove', onMove);
      area.removeEventListener('touchend', onEnd);
      area.removeEventListener('touchcancel', onCancel);
    };
  }, [area]);
}

/** Between the two taps of a double tap, and as long as one may last, in milliseconds. */
const TAP_TIME = 300;
/** As far as a finger may move, or the second tap be from the first, in pixels. */
const TAP_REACH = 24;

/** Tells two short taps of one finger at one place from a scroll, a pinch and a long press. */
class Taps {
  private begun: (Point & { time: number }) | null = null;
  private last: (Point & { time: number }) | null = null;

  constructor(private readonly onDouble: (at: Point) => void) {}

  begin({ touches, timeStamp }: TouchEvent): void {
    if (touches.length !== 1) return this.forget();
    this.begun = { x: touches[0]!.clientX, y: touches[0]!.clientY, time: timeStamp };
  }

  end(event: TouchEvent): void {
    const [begun, touch] = [this.begun, event.changedTouches[0]];
    this.begun = null;
    if (!begun || !touch) return;
    const tap = { x: touch.clientX, y: touch.clientY, time: event.timeStamp };
    if (!isNear(begun, tap)) return this.forget();
    if (!this.last || !isNear(this.last, tap)) {
      this.last = tap;
      return;
    }
    this.forget();
    // It is no click, which would select a word.
    if (event.cancelable) event.preventDefault();
    this.onDouble(tap);
  }

  forget(): void {
    this.begun = null;
    this.last = null;
  }
}

function isNear(one: Point & { time: number }, other: Point & { time: number }): boolean {
  return other.time - one.time <= TAP_TIME && Math.hypot(other.x - one.x, other.y - one.y) <= TAP_REACH;
}

function apart(touches: TouchList): number {
  const [one, other] = [touches[0]!, touches[1]!];
  return Math.max(1, Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY));
}

function between(touches: TouchList): Point {
  const [one, other] = [touches[0]!, touches[1]!];
  return { x: (one.clientX + other.clientX) / 2, y: (one.clientY + other.clientY) / 2 };
}
