import { readFileSync } from 'node:fs';
import sharp from 'sharp';

/** A photo as taken by phones: 640 by 480, red on the left and blue on the right. */
export const heicPhoto = readFileSync(new URL('../../../../support/samples/two-colours.heic', import.meta.url));

/** An image of one colour. */
export const solidColour = (background: string, width = 300, height = 200) =>
  sharp({ create: { width, height, channels: 3, background } });

/** A multi-page TIFF with a page in each of these colours. */
export async function createTiffScan(...colours: string[]): Promise<Buffer> {
  const pages = await Promise.all(colours.map((colour) => solidColour(colour).png().toBuffer()));
  return sharp(pages, { join: { animated: true } })
    .tiff()
    .toBuffer();
}

export const createSvg = (content: string, size = 'width="300" height="200"') =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${size}>${content}</svg>`,
  );

/** A PNG whose header claims this many pixels in both dimensions. */
export async function pngClaimingSize(side: number): Promise<Buffer> {
  const bytes = await solidColour('#2643d8').png().toBuffer();
  bytes.writeUInt32BE(side, 16);
  bytes.writeUInt32BE(side, 20);
  return bytes;
}

/** The photo with a header that claims this many pixels in both dimensions. */
export function heicClaimingSize(side: number): Buffer {
  const bytes = Buffer.from(heicPhoto);
  for (let at = bytes.indexOf('ispe'); at !== -1; at = bytes.indexOf('ispe', at + 1)) {
    bytes.writeUInt32BE(side, at + 8);
    bytes.writeUInt32BE(side, at + 12);
  }
  return bytes;
}

/**
 * A TIFF with a page that claims 100,000 pixels in both dimensions.
 * @param page from 1
 */
export function tiffClaimingHugePage(tiff: Buffer, page: number): Buffer {
  const bytes = Buffer.from(tiff);
  if (bytes.toString('latin1', 0, 2) !== 'II') throw new Error('The TIFF is not little-endian.');
  const endOfDirectory = (list: number) => list + 2 + bytes.readUInt16LE(list) * 12;
  let directory = bytes.readUInt32LE(4);
  for (let index = 1; index < page; index++) directory = bytes.readUInt32LE(endOfDirectory(directory));
  for (let entry = directory + 2; entry < endOfDirectory(directory); entry += 12) {
    // ImageWidth and ImageLength, as 32-bit numbers.
    if (![256, 257].includes(bytes.readUInt16LE(entry))) continue;
    bytes.writeUInt16LE(4, entry + 2);
    bytes.writeUInt32LE(100_000, entry + 8);
  }
  return bytes;
}

/** The dominant colour of an image, as its strongest channel. */
export async function dominantColour(bytes: Buffer): Promise<string> {
  const { channels } = await sharp(bytes).stats();
  const means = channels.slice(0, 3).map(({ mean }) => mean);
  if (means.every((mean) => mean > 250)) return 'white';
  return ['red', 'green', 'blue'][means.indexOf(Math.max(...means))]!;
}
