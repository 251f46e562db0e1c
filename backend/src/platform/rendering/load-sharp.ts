import type sharp from 'sharp';

export type ImageLibrary = typeof sharp;

/**
 * Imports the image library with the first image, because it needs ten megabytes of memory and most processes never
 * handle one.
 */
export async function loadSharp(): Promise<ImageLibrary> {
  const { default: library } = await import('sharp');
  // No image is processed twice, so caching is useless.
  library.cache(false);
  return library;
}
