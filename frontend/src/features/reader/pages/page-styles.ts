import type { CSSProperties } from 'react';
import type { Rotation } from './page-layout';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Rotates an image that the server rendered upright: on its side, its width is the slot's height. */
export function rotatedImageStyle({ width, height }: Size, rotation: Rotation): CSSProperties | undefined {
  if (rotation === 0) return undefined;
  const isSideways = rotation % 2 === 1;
  return rotatedStyle(rotation, isSideways ? height : width, isSideways ? width : height);
}

/** Style of a page with this aspect ratio in its slot: as large as possible and centred, like its image. */
export function fittedPageStyle({ width, height }: Size, aspectRatio: number, rotation: Rotation): CSSProperties {
  const [availableWidth, availableHeight] = rotation % 2 === 1 ? [height, width] : [width, height];
  const fitted = {
    width: Math.min(availableWidth, availableHeight * aspectRatio),
    height: Math.min(availableHeight, availableWidth / aspectRatio),
  };
  return rotation === 0 ? fitted : rotatedStyle(rotation, fitted.width, fitted.height);
}

const rotatedStyle = (rotation: Rotation, width: number, height: number): CSSProperties => ({
  position: 'absolute',
  inset: '50% auto auto 50%',
  margin: 0,
  width,
  height,
  maxWidth: 'none',
  transform: `translate(-50%, -50%) rotate(${rotation * 90}deg)`,
});
