import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { root } from '../lib/product.mjs';

/** Format by file name; the product detects it from the bytes. */
const FORMATS = {
  ...{ '.pdf': 'pdf', '.svg': 'svg', '.tif': 'tiff', '.tiff': 'tiff', '.heic': 'heic', '.heif': 'heic' },
  ...{ '.png': 'picture', '.apng': 'picture', '.jpg': 'picture', '.jpeg': 'picture', '.gif': 'picture' },
  ...{ '.webp': 'picture', '.avif': 'picture' },
};
/** Office documents by container format. Too slow to be damaged by the hundred. */
const OFFICE = Object.fromEntries([
  ...['docx', 'docm', 'dotx', 'xlsx', 'xlsm', 'pptx', 'pptm', 'ppsx', 'odt', 'ods', 'odp'].map((name) => [
    name,
    'archive',
  ]),
  ...['doc', 'xls', 'ppt', 'rtf'].map((name) => [name, 'old']),
]);

/**
 * PDFs and images below some folders, without duplicates, sorted by path.
 * @param withOffice includes Office documents
 * @returns {{ path: string, format: string, bytes: Buffer, office?: { extension: string, form: string } }[]}
 */
export function found(folders, { most = Infinity, withOffice = false } = {}) {
  const seen = new Set();
  const files = [];
  for (const path of folders.flatMap((folder) => [...below(folder, withOffice)])) {
    if (files.length >= most) break;
    const extension = extname(path).toLowerCase();
    const form = OFFICE[extension.slice(1)];
    const bytes = readFileSync(path);
    const digest = createHash('sha256').update(bytes).digest('hex');
    if (seen.has(digest)) continue;
    seen.add(digest);
    const office = form && { extension: extension.slice(1), form };
    files.push({ path, format: FORMATS[extension] ?? 'office', bytes, office });
  }
  return files;
}

function* below(folder, withOffice) {
  for (const name of readdirSync(folder).sort()) {
    const path = join(folder, name);
    // A symbolic link may lead back to a parent.
    const is = lstatSync(path);
    if (is.isDirectory()) {
      yield* below(path, withOffice);
      continue;
    }
    const extension = extname(name).toLowerCase();
    const isKnown = extension in FORMATS || (withOffice && extension.slice(1) in OFFICE);
    if (is.isFile() && is.size > 0 && isKnown) yield path;
  }
}

/** Generated PDFs: usual ones and some odd ones. */
export async function made() {
  const { createPdf: pdf } = await import(`${root}dist/backend/src/cli/seed/demo-files.js`);
  const samples = await import(`${root}backend/test/e2e/files/drawing/generated/pdf-samples.ts`);
  const text = 'Soft light falls through the leaves. '.repeat(20);
  return Object.entries({
    letter: pdf('Letter', [text, text]),
    pages: samples.pdfWithPages(40),
    large: samples.pageWithBox('0 0 14400 14400'),
    tall: samples.pageWithBox('0 0 100 2000'),
  }).map(([name, bytes]) => ({ path: `made: ${name}`, format: 'pdf', bytes }));
}
