/** The font of the text layer, in which words are measured as they are laid out. */
const MEASURING_FONT = '100px sans-serif';

let canvasContext: OffscreenCanvasRenderingContext2D | null | undefined;

/**
 * How wide a word is at a size of one; null where the browser has nothing to measure by, and words stay as wide as their
 * letters are. Nothing is laid out for it, so that a page of 20,000 words can be measured.
 */
export function measureTextWidth(text: string): number | null {
  canvasContext ??= 'OffscreenCanvas' in globalThis ? new OffscreenCanvas(1, 1).getContext('2d') : null;
  if (!canvasContext) return null;
  canvasContext.font = MEASURING_FONT;
  return canvasContext.measureText(text).width / 100;
}
