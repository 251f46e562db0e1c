import type { CSSProperties } from 'react';
import type { Turn } from './page-layout';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** A picture stays as the server drew it: on its side it has the place's height for its width. */
export function turnedIn({ width, height }: Size, turn: Turn): CSSProperties | undefined {
  if (turn === 0) return undefined;
  const isAcross = turn % 2 === 1;
  return turnedBy(turn, isAcross ? height : width, isAcross ? width : height);
}

/** Where a page of this ratio is in its place: as large as it can be, in the middle, as its picture is. */
export function heldIn({ width, height }: Size, ratio: number, turn: Turn): CSSProperties {
  const [across, down] = turn % 2 === 1 ? [height, width] : [width, height];
  const held = { width: Math.min(across, down * ratio), height: Math.min(down, across / ratio) };
  return turn === 0 ? held : turnedBy(turn, held.width, held.height);
}

const turnedBy = (turn: Turn, width: number, height: number): CSSProperties => ({
  ...{ position: 'absolute', inset: '50% auto auto 50%', margin: 0, width, height, maxWidth: 'none' },
  transform: `translate(-50%, -50%) rotate(${turn * 90}deg)`,
});
