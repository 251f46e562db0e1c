/**
 * The rendering process. It opens untrusted documents and is killed when one of them takes too much time or memory, so
 * it has access to nothing else: no database, no storage, no secrets. It is JavaScript because it is started directly
 * from this file, also by tests, for which nothing is compiled.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { OutOfMemoryError, DocumentError } from './pdfium-module.mjs';
import { openPdf } from './pdf/pdf-renderer.mjs';
import { openHeic, openPicture, openSvg, openTiff } from './image-renderer.mjs';

/** CPU seconds after which a new process takes over. Also ends a process whose parent is gone. */
const MAX_CPU_SECONDS = 300;

/** The exit code of V8 when it runs out of memory. */
const OUT_OF_MEMORY_EXIT_CODE = 134;

// Ctrl-C in a terminal reaches this process too, but it ends together with its parent.
process.on('SIGINT', () => undefined);
process.on('disconnect', () => process.exit());
const isMemoryLimited = limitMemory(Number(process.argv[2]));

/**
 * The open documents by the numbers that the parent has assigned.
 * @type {Map<number, import('./pdfium-module.mjs').OpenDocument>}
 */
const documents = new Map();
const openers = { pdf: openPdf, picture: openPicture, tiff: openTiff, svg: openSvg, heic: openHeic };
/** By the kind of a command. */
const handlers = {
  open: openDocument,
  render: renderPage,
  text: extractText,
  outline: readOutline,
  attachment: extractAttachment,
  close: closeDocument,
};

process.on('message', async (/** @type {import('./rendering-protocol.js').RenderCommand} */ command) => {
  try {
    process.send({ result: await handlers[command.kind](command) });
  } catch (error) {
    // After any other error PDFium may be corrupted, and all later calls with it.
    if (!(error instanceof DocumentError))
      process.exit(error instanceof OutOfMemoryError ? OUT_OF_MEMORY_EXIT_CODE : 1);
    process.send({ rejected: error.reason });
  }
});
process.send({ isMemoryLimited });

/**
 * Limits the memory of this process. The kernel counts V8's reserved memory as used, so that is added.
 * @returns whether the system enforces the limit
 */
function limitMemory(/** @type {number} */ bytes) {
  if (process.platform !== 'linux') return false;
  const status = readFileSync('/proc/self/status', 'utf8');
  const statusBytes = (/** @type {string} */ name) =>
    Number(new RegExp(`^${name}:\\s*(\\d+) kB`, 'm').exec(status)?.[1]) * 1024;
  const data = bytes + statusBytes('VmData') - statusBytes('RssAnon');
  // Core dumps are disabled, because they would contain document data.
  const limits = [`--data=${data}`, `--cpu=${MAX_CPU_SECONDS}`, '--core=0'];
  try {
    execFileSync('prlimit', [`--pid=${process.pid}`, ...limits], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Opens a file, which may be deleted afterwards: everything needed is in memory. */
async function openDocument(
  /** @type {import('./rendering-protocol.js').OpenCommand} */ { document, format, path, password },
) {
  const opened = await openers[format](path, password);
  documents.set(document, opened);
  const { sizes, attachments } = opened;
  return { count: sizes.length, sizes, attachments };
}

function renderPage(/** @type {import('./rendering-protocol.js').RenderPageCommand} */ { document, page, widths }) {
  return documentWithPage(document, page).renderPage(page, widths);
}

function extractText(/** @type {import('./rendering-protocol.js').TextCommand} */ { document, page }) {
  return documentWithPage(document, page).extractText(page);
}

function readOutline(/** @type {import('./rendering-protocol.js').OutlineCommand} */ { document }) {
  return documents.get(document).readOutline();
}

function extractAttachment(
  /** @type {import('./rendering-protocol.js').AttachmentCommand} */ { document, attachment: number, path },
) {
  const { name, bytes } = documents.get(document).extractAttachment(number);
  writeFileSync(path, bytes, { mode: 0o600 });
  return { name, size: bytes.length };
}

function closeDocument(/** @type {import('./rendering-protocol.js').CloseCommand} */ { document }) {
  documents.get(document)?.close();
  documents.delete(document);
}

function documentWithPage(/** @type {number} */ document, /** @type {number} */ page) {
  const opened = documents.get(document);
  if (page > opened.sizes.length) throw new DocumentError('no-page');
  return opened;
}
