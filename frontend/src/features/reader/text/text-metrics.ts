/** The font of the text layer, in which words are measured. */
const MEASURING_FONT = '100px sans-serif';

let canvasContext: OffscreenCanvasRenderingContext2D | null | undefined;

/**
 * Returns the width of a word at font size 1; null if the browser can't measure, in which case words keep their natural
 * width. Measuring on a canvas needs no layout, so a page of 20,000 words can be measured.
 */
export function measureTextWidth(text: string): number | null {
  canvasContext ??= 'OffscreenCanvas' in globalThis ? new OffscreenCanvas(1, 1).getContext('2d') : null;
  if (!canvasContext) return null;
  canvasContext.font = MEASURING_FONT;
  return canvasContext.measureText(text).width / 100;
}
