/**
 * The process that draws. It opens documents that anybody may have made, and is ended when one of them takes too long or
 * too much, so it knows nothing else: no database, no storage, no secret. It is JavaScript because it is started as it lies
 * here, by suites too, for which nothing is compiled.
 */
import { execFileSync } from 'node:child_process';
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { PDFiumDocument } from '@hyzyla/pdfium';
import sharp from 'sharp';
import { outlineOf } from './drawing-links.mjs';
import { allocate, free, inRoom, module, OutOfMemory, Refusal, viewOf } from './drawing-module.mjs';
import { pageText } from './drawing-text.mjs';

/** Why PDFium refuses to open a document (`FPDF_GetLastError`); whatever else it says is damage. */
const REASONS = { 4: 'locked', 5: 'unsupported' };
/** Within this many bytes a document says that it is one. */
const HEAD = 1024;
const MAX_PAGES = 10_000;
/** What is drawn at most, in pixels, whatever a page measures: eight million in all. */
const MAX_WIDTH = 2000;
const MAX_HEIGHT = 4096;
/** Seconds of the processor after which another process takes over: one that nobody is left to end, ends so. */
const PROCESSOR = 300;

/** As V8 ends a process that gets no more memory. */
const OUT_OF_MEMORY = 134;

// Ctrl-C in a terminal reaches this process too, but it ends with the one that started it.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit());
sharp.cache(false);
sharp.concurrency(1);
const limited = limit(Number(process.argv[2]));

/** The documents that are open, by the numbers that the parent has given them. @type {Map<number, PDFiumDocument>} */
const documents = new Map();
const does = { open, draw, text, outline, close };

process.on('message', async (/** @type {import('./drawing-protocol.js').Wish} */ wish) => {
  try {
    process.send({ done: await does[wish.kind](wish) });
  } catch (error) {
    // Whatever else it is, the module may be lost by it, and every later call with it.
    if (!(error instanceof Refusal)) process.exit(error instanceof OutOfMemory ? OUT_OF_MEMORY : 1);
    process.send({ refused: error.reason });
  }
});
process.send({ limited });

/**
 * Keeps this process from taking more memory than that. What V8 has only reserved counts as taken to the system, so it comes
 * on top. @returns whether the system does so
 */
function limit(/** @type {number} */ bytes) {
  if (process.platform !== 'linux') return false;
  const status = readFileSync('/proc/self/status', 'utf8');
  const of = (/** @type {string} */ name) => Number(new RegExp(`^${name}:\\s*(\\d+) kB`, 'm').exec(status)?.[1]) * 1024;
  const data = bytes + of('VmData') - of('RssAnon');
  // Nothing of a document is to lie about as the image of a process that crashed, either.
  const limits = [`--data=${data}`, `--cpu=${PROCESSOR}`, '--core=0'];
  try {
    execFileSync('prlimit', [`--pid=${process.pid}`, ...limits], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Opens a file. PDFium works on it in its own memory, so that it can be removed then. */
function open(/** @type {import('./drawing-protocol.js').OpenWish} */ { document, path, password }) {
  const { pointer, size } = readIntoModule(path);
  const secret = password === undefined ? 0 : textIntoModule(password);
  const handle = module._FPDF_LoadMemDocument(pointer, size, secret);
  if (secret !== 0) free(secret);
  if (handle === 0) {
    const reason = REASONS[module._FPDF_GetLastError()] ?? 'damaged';
    free(pointer);
    throw new Refusal(reason);
  }
  const opened = new PDFiumDocument({ module, documentPtr: pointer, documentIdx: handle });
  try {
    const sizes = sizesOf(opened);
    documents.set(document, opened);
    return { count: sizes.length, sizes };
  } catch (error) {
    opened.destroy();
    throw error;
  }
}

function readIntoModule(/** @type {string} */ path) {
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    if (size === 0) throw new Refusal('empty');
    const head = Buffer.alloc(Math.min(HEAD, size));
    readSync(file, head, 0, head.length, 0);
    if (!head.includes('%PDF-')) throw new Refusal('wrong-type');
    const pointer = allocate(size);
    for (let at = 0; at < size;) {
      const read = readSync(file, module.HEAPU8, pointer + at, size - at, at);
      if (read === 0) throw new Error('The file became shorter.');
      at += read;
    }
    return { pointer, size };
  } finally {
    closeSync(file);
  }
}

function textIntoModule(/** @type {string} */ text) {
  const bytes = Buffer.from(`${text}\0`, 'utf8');
  const pointer = allocate(bytes.length);
  module.HEAPU8.set(bytes, pointer);
  return pointer;
}

/** Width and height of each page in points, without loading one; 0 and 0 of one that is broken. */
function sizesOf(/** @type {PDFiumDocument} */ opened) {
  const count = opened.getPageCount();
  if (count < 1) throw new Refusal('damaged');
  if (count > MAX_PAGES) throw new Refusal('too-many-pages');
  return inRoom(8, (pointer) =>
    Array.from({ length: count }, (_, at) => {
      const isRead = module._FPDF_GetPageSizeByIndexF(opened.documentIdx, at, pointer) !== 0;
      const view = viewOf(pointer, 8);
      const size = [view.getFloat32(0, true), view.getFloat32(4, true)];
      return isRead && size.every((side) => Number.isFinite(side) && side > 0) ? size : [0, 0];
    }),
  );
}

/** Draws a page once, as wide as it is wanted at most, and makes the narrower pictures of that one. */
async function draw(/** @type {import('./drawing-protocol.js').DrawWish} */ { document, page, widths }) {
  const opened = documents.get(document);
  if (page > opened.getPageCount()) throw new Refusal('no-page');
  const loaded = opened.getPage(page - 1);
  // A broken page has this handle, and would be "drawn" without a complaint.
  if (loaded.pageIdx === 0) throw new Refusal('damaged');
  const { originalWidth, originalHeight } = loaded.getOriginalSize();
  const [width, height] = pixelsOf(originalWidth, originalHeight, Math.max(...widths));
  if (!(width >= 1 && height >= 1)) {
    module._FPDF_ClosePage(loaded.pageIdx);
    throw new Refusal('damaged');
  }
  // Closes the page as well, so nothing may be asked of it afterwards.
  const drawn = await loaded.render({ width, height, scale: 1, render: 'bitmap', renderFormFields: hasForms(opened) });
  const raw = sharp(drawn.data, { raw: { width, height, channels: 4 } }).removeAlpha();
  const pictures = [];
  for (const wanted of widths) {
    const narrow = wanted < width ? raw.clone().resize(wanted) : raw;
    const { data, info } = await narrow.webp({ quality: 82, effort: 2 }).toBuffer({ resolveWithObject: true });
    pictures.push({ width: info.width, height: info.height, bytes: data });
  }
  return pictures;
}

/** Filled forms and signatures are drawn only with what PDFium prepares for forms, which it does not for every document. */
function hasForms(/** @type {PDFiumDocument} */ opened) {
  try {
    return opened.initializeFormFields() !== 0;
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) throw error;
    return false;
  }
}

/** Width and height in pixels, in the proportions of the page as far as there is a pixel for it. */
function pixelsOf(/** @type {number} */ width, /** @type {number} */ height, /** @type {number} */ wanted) {
  const scale = Math.min(Math.min(wanted, MAX_WIDTH) / width, MAX_HEIGHT / height);
  return [width, height].map((side) => Math.max(1, Math.round(side * scale)));
}

/** What a page says, and where. */
function text(/** @type {import('./drawing-protocol.js').TextWish} */ { document, page }) {
  const opened = documents.get(document);
  if (page > opened.getPageCount()) throw new Refusal('no-page');
  const loaded = module._FPDF_LoadPage(opened.documentIdx, page - 1);
  if (loaded === 0) throw new Refusal('damaged');
  const read = pageText(opened.documentIdx, loaded);
  module._FPDF_ClosePage(loaded);
  return read;
}

function outline(/** @type {import('./drawing-protocol.js').OutlineWish} */ { document }) {
  return outlineOf(documents.get(document).documentIdx);
}

function close(/** @type {import('./drawing-protocol.js').CloseWish} */ { document }) {
  documents.get(document)?.destroy();
  documents.delete(document);
}
