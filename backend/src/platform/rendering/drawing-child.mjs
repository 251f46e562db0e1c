/**
 * The rendering process. It opens untrusted documents and is killed when one of them takes too much time or memory, so
 * it has access to nothing else: no database, no storage, no secrets. It is JavaScript because it is started directly
 * from this file, also by tests, for which nothing is compiled.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { OutOfMemory, Refusal } from './drawing-module.mjs';
import { openPdf } from './pdf/drawing-pdf.mjs';
import { openHeic, openPicture, openSvg, openTiff } from './drawing-pictures.mjs';

/** CPU seconds after which a new process takes over. Also ends a process whose parent is gone. */
const PROCESSOR = 300;

/** The exit code of V8 when it runs out of memory. */
const OUT_OF_MEMORY = 134;

// Ctrl-C in a terminal reaches this process too, but it ends together with its parent.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit());
const limited = limit(Number(process.argv[2]));

/**
 * The open documents by the numbers that the parent has assigned.
 * @type {Map<number, import('./drawing-module.mjs').OpenDocument>}
 */
const documents = new Map();
const openers = { pdf: openPdf, picture: openPicture, tiff: openTiff, svg: openSvg, heic: openHeic };
const does = { open, draw, text, outline, attachment, close };

process.on('message', async (/** @type {import('./rendering-protocol.js').RenderCommand} */ wish) => {
  try {
    process.send({ done: await does[wish.kind](wish) });
  } catch (error) {
    // After any other error the module may be corrupted, and all later calls with it.
    if (!(error instanceof Refusal)) process.exit(error instanceof OutOfMemory ? OUT_OF_MEMORY : 1);
    process.send({ refused: error.reason });
  }
});
process.send({ limited });

/**
 * Limits the memory of this process. The kernel counts V8's reserved memory as used, so that is added.
 * @returns whether the system enforces the limit
 */
function limit(/** @type {number} */ bytes) {
  if (process.platform !== 'linux') return false;
  const status = readFileSync('/proc/self/status', 'utf8');
  const of = (/** @type {string} */ name) => Number(new RegExp(`^${name}:\\s*(\\d+) kB`, 'm').exec(status)?.[1]) * 1024;
  const data = bytes + of('VmData') - of('RssAnon');
  // Core dumps are disabled, because they would contain document data.
  const limits = [`--data=${data}`, `--cpu=${PROCESSOR}`, '--core=0'];
  try {
    execFileSync('prlimit', [`--pid=${process.pid}`, ...limits], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Opens a file, which may be deleted afterwards: everything needed is in memory. */
async function open(/** @type {import('./rendering-protocol.js').OpenCommand} */ { document, format, path, password }) {
  const opened = await openers[format](path, password);
  documents.set(document, opened);
  const { sizes, attachments } = opened;
  return { count: sizes.length, sizes, attachments };
}

function draw(/** @type {import('./rendering-protocol.js').DrawCommand} */ { document, page, widths }) {
  return withPage(document, page).draw(page, widths);
}

function text(/** @type {import('./rendering-protocol.js').TextCommand} */ { document, page }) {
  return withPage(document, page).text(page);
}

function outline(/** @type {import('./rendering-protocol.js').OutlineCommand} */ { document }) {
  return documents.get(document).outline();
}

function attachment(
  /** @type {import('./rendering-protocol.js').AttachmentCommand} */ { document, attachment: number, path },
) {
  const { name, bytes } = documents.get(document).attachment(number);
  writeFileSync(path, bytes, { mode: 0o600 });
  return { name, size: bytes.length };
}

function close(/** @type {import('./rendering-protocol.js').CloseCommand} */ { document }) {
  documents.get(document)?.close();
  documents.delete(document);
}

function withPage(/** @type {number} */ document, /** @type {number} */ page) {
  const opened = documents.get(document);
  if (page > opened.sizes.length) throw new Refusal('no-page');
  return opened;
}
