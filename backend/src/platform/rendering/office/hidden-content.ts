import { readFile, rename } from 'node:fs/promises';
import { extname } from 'node:path';
import { MIB } from '../../text/byte-units.js';
import { RenderError } from '../rendering.errors.js';
import {
  readEntries,
  rewriteArchive,
  readEntry,
  uncompressedSize,
  withFileBytes,
  type ByteSource,
  type ZipEntry,
} from './zip-archive.js';
import { isCompoundFile } from './compound-file.js';
import { readAttribute, findElements, isSelfClosing, readXml, findTags } from './xml.js';

/** Content that is hidden when the document is opened, but that LibreOffice would print. */
export interface HiddenContent {
  readonly sheets: number;
  /** Whether it contains text deleted by tracked changes. */
  readonly deletions: boolean;
}

/** Formats from which hidden parts can be removed. */
export type OpenDocumentFormat = 'odt' | 'ods';

/**
 * Maximum total bytes of the parts searched. They are in memory several times: as bytes, as text, and as text and bytes
 * of the edited part.
 */
const MAX_PARTS = 64 * MIB;
/** Maximum bytes of the relationships part; Office writes less than a kilobyte. */
const MAX_RELATIONS = MIB;

const WORD_EXTENSIONS = new Set(['.docx', '.dotx', '.docm', '.dotm']);
const EXCEL_EXTENSIONS = new Set(['.xlsx', '.xltx', '.xlsm', '.xltm']);
/**
 * Intermediate formats of documents from before Office 2007, by extension. Their streams don't reliably show the type,
 * because embedded documents have their streams in the same container.
 */
const LEGACY_FORMATS: Readonly<Record<string, OpenDocumentFormat>> = { '.doc': 'odt', '.xls': 'ods' };
/** Parts of a Word document that are printed. */
const WORD_PARTS = /^word\/(?:document|header|footer|footnotes|endnotes)\d*\.xml$/i;
const TRACKED_CHANGES = /<(?:[\w.-]+:)?(?:del|ins|moveFrom|moveTo|cellDel|cellIns)[\s/>]/;
const TRACKED_CHANGES_RTF = /\\(?:deleted|revised|mvf|mvt)(?![a-z])/;

const PRINT_RANGES = /\s(?:[\w.-]+:)?print-ranges\s*=\s*(?:"[^"]*"|'[^']*')/;

/**
 * Returns the format into which LibreOffice must convert a document first, because hidden parts can't be removed from
 * (or found in) the original format; null when that isn't needed.
 */
export async function requiredOpenFormat(path: string): Promise<OpenDocumentFormat | null> {
  const extension = extname(path);
  if (extension === '.rtf') return TRACKED_CHANGES_RTF.test(await readFile(path, 'latin1')) ? 'odt' : null;
  return withFileBytes(path, async (bytes) => {
    if (WORD_EXTENSIONS.has(extension)) return (await hasTrackedChanges(bytes)) ? 'odt' : null;
    return (await isCompoundFile(bytes)) ? (LEGACY_FORMATS[extension] ?? null) : null;
  });
}

/**
 * Removes hidden content from a document: print areas of hidden sheets, and tracked changes, as if they had been
 * accepted. Documents of other types are unchanged.
 * @returns null when there was nothing hidden
 * @throws RenderError for an archive that is damaged or too large
 */
export async function removeHiddenContent(path: string): Promise<HiddenContent | null> {
  const edit = editorFor(extname(path));
  if (!edit) return null;
  const edited = await withFileBytes(path, async (bytes) => {
    const entries = await readEntries(bytes);
    const names =
      edit === removeHiddenPrintAreas ? [await findWorkbookPart(bytes, entries)] : ['content.xml', 'styles.xml'];
    const searched = entries.filter(({ name }) => names.includes(name));
    if (uncompressedSize(searched) > MAX_PARTS) throw new RenderError('too-large');
    const parts: (EditedPart & { readonly name: string; readonly isChanged: boolean })[] = [];
    for (const entry of searched) {
      const before = await readPart(bytes, entry);
      const after = edit(before);
      parts.push({ ...after, name: entry.name, isChanged: after.xml !== before });
    }
    return parts;
  });
  const changed = edited.filter(({ isChanged }) => isChanged);
  const sheets = edited.reduce((sum, part) => sum + part.sheets, 0);
  if (changed.length === 0 && sheets === 0) return null;
  if (changed.length > 0) {
    const rewritten = `${path}.new`;
    await rewriteArchive(path, rewritten, new Map(changed.map(({ name, xml }) => [name, Buffer.from(xml, 'latin1')])));
    await rename(rewritten, path);
  }
  return { sheets, deletions: edited.some(({ deletions }) => deletions) };
}

interface EditedPart extends HiddenContent {
  readonly xml: string;
}

function editorFor(extension: string): ((xml: string) => EditedPart) | null {
  if (EXCEL_EXTENSIONS.has(extension)) return removeHiddenPrintAreas;
  if (extension === '.ods') return removeHiddenPrintRanges;
  return extension === '.odt' ? removeTrackedChanges : null;
}

/** Print areas refer to sheets by their index; those without a sheet are removed, too. */
function removeHiddenPrintAreas(xml: string): EditedPart {
  const isHidden: boolean[] = [];
  for (const { isEnd, source } of findTags(xml, 'sheet'))
    if (!isEnd) isHidden.push(['hidden', 'veryHidden'].includes(readAttribute(source, 'state') ?? ''));
  const sheets = isHidden.filter(Boolean).length;
  if (sheets === 0) return { xml, sheets, deletions: false };
  const printAreas: Replacement[] = [];
  for (const element of findElements(xml, 'definedName')) {
    const isPrintArea = /print_area$/i.test(readAttribute(element.startTag, 'name') ?? '');
    const sheet = Number(readAttribute(element.startTag, 'localSheetId') ?? NaN);
    if (isPrintArea && isHidden[sheet] !== false) printAreas.push(element);
  }
  return { xml: applyReplacements(xml, printAreas), sheets, deletions: false };
}

function removeHiddenPrintRanges(xml: string): EditedPart {
  const hidden = new Set<string | undefined>();
  const tables: Replacement[] = [];
  let style: string | undefined;
  // Styles precede the tables that use them.
  for (const tag of findTags(xml, 'style', 'table-properties', 'table')) {
    const { name, isEnd, source } = tag;
    if (name === 'style') style = isEnd || isSelfClosing(tag) ? undefined : readAttribute(source, 'name');
    else if (isEnd) continue;
    else if (name === 'table-properties') {
      if (style !== undefined && readAttribute(source, 'display') === 'false') hidden.add(style);
    } else if (hidden.has(readAttribute(source, 'style-name')))
      tables.push({ start: tag.start, end: tag.end, replacement: source.replace(PRINT_RANGES, '') });
  }
  return { xml: applyReplacements(xml, tables), sheets: tables.length, deletions: false };
}

/** The list of changes contains the deleted text. Without the list, inserted text is ordinary text. */
function removeTrackedChanges(xml: string): EditedPart {
  const lists = [...findElements(xml, 'tracked-changes')];
  const deletions = lists.some(({ start, end }) => !findTags(xml.slice(start, end), 'deletion').next().done);
  return { xml: applyReplacements(xml, lists), sheets: 0, deletions };
}

interface Replacement {
  readonly start: number;
  readonly end: number;
  /** Empty by default. */
  readonly replacement?: string;
}

/** Applies replacements, which must be in order. */
function applyReplacements(text: string, replacements: readonly Replacement[]): string {
  const parts = replacements.flatMap(({ start, replacement = '' }, index) => [
    text.slice(replacements[index - 1]?.end ?? 0, start),
    replacement,
  ]);
  return [...parts, text.slice(replacements.at(-1)?.end ?? 0)].join('');
}

async function hasTrackedChanges(bytes: ByteSource): Promise<boolean> {
  for (const entry of (await readEntries(bytes)).filter(({ name }) => WORD_PARTS.test(name)))
    if (TRACKED_CHANGES.test(await readPart(bytes, entry))) return true;
  return false;
}

/**
 * Latin-1 maps bytes to characters one to one: the search terms are ASCII, and everything else is written back
 * unchanged.
 */
async function readPart(bytes: ByteSource, entry: ZipEntry): Promise<string> {
  return (await readEntry(bytes, entry, MAX_PARTS)).toString('latin1');
}

/** Returns the name of the part that lists the sheets of an Excel document, as given by its relationships. */
async function findWorkbookPart(bytes: ByteSource, entries: readonly ZipEntry[]): Promise<string> {
  const relations = entries.find(({ name }) => name === '_rels/.rels');
  const content = relations && (await readEntry(bytes, relations, MAX_RELATIONS)).toString();
  const xml = content === undefined ? null : readXml(content.replace(/^\ufeff/, ''));
  for (const { attributes } of xml?.tags ?? []) {
    const { Type: type = '', Target: target = '' } = Object.fromEntries(attributes);
    if (type.endsWith('/officeDocument')) return target.replace(/^\//, '');
  }
  return 'xl/workbook.xml';
}
