import type sharp from 'sharp';

export type ImageLibrary = typeof sharp;

/**
 * The library for images. It is loaded with the first image, because it takes ten megabytes and most processes never see
 * one.
 */
export async function loadSharp(): Promise<ImageLibrary> {
  const { default: library } = await import('sharp');
  // Nothing is asked for twice, so nothing needs to stay in memory.
  library.cache(false);
  return library;
}
