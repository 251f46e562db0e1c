/** What the buttons and keys zoom to; 1 fits the width. */
const ZOOM_STEPS = [0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5];
const MIN_ZOOM = ZOOM_STEPS[0]!;
const MAX_ZOOM = ZOOM_STEPS.at(-1)!;

export const clampZoom = (zoom: number) => Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, zoom));

/** The next step above or below; after a pinch one may be between two. */
export function nextZoomStep(zoom: number, direction: 1 | -1): number {
  const nextStep =
    direction > 0 ? ZOOM_STEPS.find((step) => step > zoom + 0.01) : ZOOM_STEPS.findLast((step) => step < zoom - 0.01);
  return nextStep ?? (direction > 0 ? MAX_ZOOM : MIN_ZOOM);
}

/** A double tap brings a page near, and back to the width of the screen. */
export const doubleTapZoom = (zoom: number) => (zoom > 1.01 ? 1 : 2);

/** What a turn of the wheel with Ctrl, or a pinch on a touchpad, which browsers tell as the same, makes of a zoom. */
export function wheelZoom(zoom: number, delta: number): number {
  // A notch of a wheel is 100; more at once is one jump and no more.
  return zoom * Math.exp(-Math.max(-100, Math.min(100, delta)) / 400);
}
