import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { root } from '../lib/product.mjs';

/** Formats by extension; the product detects them from the bytes. */
const FORMATS = {
  '.pdf': 'pdf',
  '.svg': 'svg',
  '.tif': 'tiff',
  '.tiff': 'tiff',
  '.heic': 'heic',
  '.heif': 'heic',
  '.png': 'picture',
  '.apng': 'picture',
  '.jpg': 'picture',
  '.jpeg': 'picture',
  '.gif': 'picture',
  '.webp': 'picture',
  '.avif': 'picture',
};
/** Container formats of Office documents by extension. They are converted too slowly to be damaged by the hundred. */
const OFFICE_CONTAINERS = Object.fromEntries([
  ...['docx', 'docm', 'dotx', 'xlsx', 'xlsm', 'pptx', 'pptm', 'ppsx', 'odt', 'ods', 'odp'].map((name) => [
    name,
    'archive',
  ]),
  ...['doc', 'xls', 'ppt', 'rtf'].map((name) => [name, 'old']),
]);

/**
 * Finds PDFs and images below some folders, without duplicates, sorted by path.
 * @param withOffice includes Office documents
 * @returns {{ path: string, format: string, bytes: Buffer, office?: { extension: string, container: string } }[]}
 */
export function findSamples(folders, { limit = Infinity, withOffice = false } = {}) {
  const digests = new Set();
  const files = [];
  for (const path of folders.flatMap((folder) => [...listFiles(folder, withOffice)])) {
    if (files.length >= limit) break;
    const extension = extname(path).toLowerCase();
    const container = OFFICE_CONTAINERS[extension.slice(1)];
    const bytes = readFileSync(path);
    const digest = createHash('sha256').update(bytes).digest('hex');
    if (digests.has(digest)) continue;
    digests.add(digest);
    const office = container && { extension: extension.slice(1), container };
    files.push({ path, format: FORMATS[extension] ?? 'office', bytes, office });
  }
  return files;
}

function* listFiles(folder, withOffice) {
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    // A symbolic link may lead back to a parent.
    const stats = lstatSync(path);
    if (stats.isDirectory()) {
      yield* listFiles(path, withOffice);
      continue;
    }
    const extension = extname(name).toLowerCase();
    const isKnown = extension in FORMATS || (withOffice && extension.slice(1) in OFFICE_CONTAINERS);
    if (stats.isFile() && stats.size > 0 && isKnown) yield path;
  }
}

/** Generates PDFs: usual and odd ones. */
export async function createSamples() {
  const { createPdf } = await import(`${root}dist/compiled/src/cli/seed/demo-files.js`);
  const samples = await import(`${root}backend/test/e2e/files/rendering/generated/pdf-samples.ts`);
  const text = 'Soft light falls through the leaves. '.repeat(20);
  return Object.entries({
    letter: createPdf('Letter', [text, text]),
    pages: samples.pdfWithPages(40),
    large: samples.pageWithBox('0 0 14400 14400'),
    tall: samples.pageWithBox('0 0 100 2000'),
  }).map(([name, bytes]) => ({ path: `generated: ${name}`, format: 'pdf', bytes }));
}
