/**
 * The process that draws. It opens documents that anybody may have made, and is ended when one of them takes too long or
 * too much, so it knows nothing else: no database, no storage, no secret. It is JavaScript because it is started as it lies
 * here, by suites too, for which nothing is compiled.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { OutOfMemory, Refusal } from './drawing-module.mjs';
import { openPdf } from './pdf/drawing-pdf.mjs';
import { openHeic, openPicture, openSvg, openTiff } from './drawing-pictures.mjs';

/** Seconds of the processor after which another process takes over: one that nobody is left to end, ends so. */
const PROCESSOR = 300;

/** As V8 ends a process that gets no more memory. */
const OUT_OF_MEMORY = 134;

// Ctrl-C in a terminal reaches this process too, but it ends with the one that started it.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit());
const limited = limit(Number(process.argv[2]));

/** The documents that are open, by the numbers that the parent has given them. @type {Map<number, import('./drawing-module.mjs').OpenDocument>} */
const documents = new Map();
const openers = { pdf: openPdf, picture: openPicture, tiff: openTiff, svg: openSvg, heic: openHeic };
const does = { open, draw, text, outline, attachment, close };

process.on('message', async (/** @type {import('./rendering-protocol.js').Wish} */ wish) => {
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

/** Opens a file, which can be removed then: what is needed of it is in memory. */
async function open(/** @type {import('./rendering-protocol.js').OpenWish} */ { document, format, path, password }) {
  const opened = await openers[format](path, password);
  documents.set(document, opened);
  const { sizes, attachments } = opened;
  return { count: sizes.length, sizes, attachments };
}

function draw(/** @type {import('./rendering-protocol.js').DrawWish} */ { document, page, widths }) {
  return withPage(document, page).draw(page, widths);
}

function text(/** @type {import('./rendering-protocol.js').TextWish} */ { document, page }) {
  return withPage(document, page).text(page);
}

function outline(/** @type {import('./rendering-protocol.js').OutlineWish} */ { document }) {
  return documents.get(document).outline();
}

function attachment(
  /** @type {import('./rendering-protocol.js').AttachmentWish} */ { document, attachment: number, path },
) {
  const { name, bytes } = documents.get(document).attachment(number);
  writeFileSync(path, bytes, { mode: 0o600 });
  return { name, size: bytes.length };
}

function close(/** @type {import('./rendering-protocol.js').CloseWish} */ { document }) {
  documents.get(document)?.close();
  documents.delete(document);
}

function withPage(/** @type {number} */ document, /** @type {number} */ page) {
  const opened = documents.get(document);
  if (page > opened.sizes.length) throw new Refusal('no-page');
  return opened;
}
