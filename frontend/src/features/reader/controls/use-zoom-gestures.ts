import { useEffect, useEffectEvent } from 'react';
import type { Point, ReaderView } from './use-reader-view';
import { doubleTapZoom, wheelZoom } from './zoom';

/** Zooms with Ctrl+wheel, pinch and double tap; one finger scrolls. */
export function useZoomGestures(area: HTMLElement | null, view: ReaderView): void {
  const onWheel = useEffectEvent((event: WheelEvent) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    view.zoomTo(wheelZoom(view.zoom, event.deltaY), { x: event.clientX, y: event.clientY });
  });
  const getZoom = useEffectEvent(() => view.zoom);
  const pinch = useEffectEvent((zoom: number, at: Point) => view.zoomTo(zoom, at));
  const doubleTap = useEffectEvent((at: Point) => view.zoomTo(doubleTapZoom(view.zoom), at));
  useEffect(() => {
    if (!area) return undefined;
    const doubleTapDetector = new DoubleTapDetector(doubleTap);
    let pinchStart: { distance: number; zoom: number } | null = null;
    const onTouchStart = (event: TouchEvent) => {
      const { touches } = event;
      pinchStart = touches.length === 2 ? { distance: touchDistance(touches), zoom: getZoom() } : null;
      doubleTapDetector.handleTouchStart(event);
    };
    const onTouchEnd = (event: TouchEvent) => {
      pinchStart = null;
      doubleTapDetector.handleTouchEnd(event);
    };
    const onTouchCancel = () => {
      pinchStart = null;
      doubleTapDetector.reset();
    };
    const onTouchMove = (event: TouchEvent) => {
      if (!pinchStart || event.touches.length !== 2 || !event.cancelable) return;
      event.preventDefault();
      pinch((pinchStart.zoom * touchDistance(event.touches)) / pinchStart.distance, touchMidpoint(event.touches));
    };
    const wheelListener = (event: WheelEvent) => onWheel(event);
    // Uses touch events, not pointer events: two moving fingers also scroll, and browsers cancel pointers when
    // scrolling begins.
    area.addEventListener('wheel', wheelListener, { passive: false });
    area.addEventListener('touchstart', onTouchStart, { passive: true });
    area.addEventListener('touchmove', onTouchMove, { passive: false });
    area.addEventListener('touchend', onTouchEnd, { passive: false });
    area.addEventListener('touchcancel', onTouchCancel, { passive: true });
    return () => {
      area.removeEventListener('wheel', wheelListener);
      area.removeEventListener('touchstart', onTouchStart);
      area.removeEventListener('touchmove', onTouchMove);
      area.removeEventListener('touchend', onTouchEnd);
      area.removeEventListener('touchcancel', onTouchCancel);
    };
  }, [area]);
}

/** Maximum milliseconds of one tap, and between the two taps of a double tap. */
const MAX_TAP_DURATION = 300;
/** Maximum pixels that a finger may move, and between the two taps. */
const MAX_TAP_DISTANCE = 24;

/** Distinguishes a double tap of one finger from scrolling, pinching and long presses. */
class DoubleTapDetector {
  private touchStart: (Point & { time: number }) | null = null;
  private lastTap: (Point & { time: number }) | null = null;

  constructor(private readonly onDoubleTap: (at: Point) => void) {}

  handleTouchStart({ touches, timeStamp }: TouchEvent): void {
    if (touches.length !== 1) return this.reset();
    this.touchStart = { x: touches[0]!.clientX, y: touches[0]!.clientY, time: timeStamp };
  }

  handleTouchEnd(event: TouchEvent): void {
    const [touchStart, touch] = [this.touchStart, event.changedTouches[0]];
    this.touchStart = null;
    if (!touchStart || !touch) return;
    const tap = { x: touch.clientX, y: touch.clientY, time: event.timeStamp };
    if (!isNear(touchStart, tap)) return this.reset();
    if (!this.lastTap || !isNear(this.lastTap, tap)) {
      this.lastTap = tap;
      return;
    }
    this.reset();
    // Prevents the click, which would select a word.
    if (event.cancelable) event.preventDefault();
    this.onDoubleTap(tap);
  }

  reset(): void {
    this.touchStart = null;
    this.lastTap = null;
  }
}

function isNear(one: Point & { time: number }, other: Point & { time: number }): boolean {
  return other.time - one.time <= MAX_TAP_DURATION && Math.hypot(other.x - one.x, other.y - one.y) <= MAX_TAP_DISTANCE;
}

function touchDistance(touches: TouchList): number {
  const [one, other] = [touches[0]!, touches[1]!];
  return Math.max(1, Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY));
}

function touchMidpoint(touches: TouchList): Point {
  const [one, other] = [touches[0]!, touches[1]!];
  return { x: (one.clientX + other.clientX) / 2, y: (one.clientY + other.clientY) / 2 };
}
