/** Zoom levels of buttons and keys; 1 fits the width. */
const ZOOM_STEPS = [0.5, 0.67, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5];
const MIN_ZOOM = ZOOM_STEPS[0]!;
const MAX_ZOOM = ZOOM_STEPS.at(-1)!;

export const clampZoom = (zoom: number) => Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, zoom));

/** Returns the next zoom level in a direction; after a pinch the zoom may be between two levels. */
export function nextZoomStep(zoom: number, direction: 1 | -1): number {
  const nextStep =
    direction > 0 ? ZOOM_STEPS.find((step) => step > zoom + 0.01) : ZOOM_STEPS.findLast((step) => step < zoom - 0.01);
  return nextStep ?? (direction > 0 ? MAX_ZOOM : MIN_ZOOM);
}

/** A double tap zooms in, and back to the width of the screen. */
export const doubleTapZoom = (zoom: number) => (zoom > 1.01 ? 1 : 2);

/** Returns the zoom after Ctrl+wheel, or a touchpad pinch, which browsers report as the same event. */
export function wheelZoom(zoom: number, delta: number): number {
  // One wheel notch is 100; larger deltas are capped to one notch.
  return zoom * Math.exp(-Math.max(-100, Math.min(100, delta)) / 400);
}
