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

/** What a document holds that nobody sees who opens it, and that LibreOffice would print. */
export interface HiddenContent {
  readonly sheets: number;
  /** Whether text is in it that tracked changes have deleted. */
  readonly deletions: boolean;
}

/** The forms in which parts can be taken out of a document. */
export type OpenDocumentFormat = 'odt' | 'ods';

/**
 * Bytes that the searched parts of a document may have together. They are in memory several times: as bytes, as text, and as
 * the text and the bytes of the edited part.
 */
const MAX_PARTS = 64 * MIB;
/** Bytes of the relations of a document; Office writes less than a kilobyte. */
const MAX_RELATIONS = MIB;

const WORD_EXTENSIONS = new Set(['.docx', '.dotx', '.docm', '.dotm']);
const EXCEL_EXTENSIONS = new Set(['.xlsx', '.xltx', '.xlsm', '.xltm']);
/**
 * What LibreOffice makes of documents of Office before 2007. It depends on their type alone: which streams such a document has
 * says little, as documents that are embedded in it have theirs in the same container.
 */
const LEGACY_FORMATS: Readonly<Record<string, OpenDocumentFormat>> = { '.doc': 'odt', '.xls': 'ods' };
/** Parts of a Word document that are printed. */
const WORD_PARTS = /^word\/(?:document|header|footer|footnotes|endnotes)\d*\.xml$/i;
const TRACKED_CHANGES = /<(?:[\w.-]+:)?(?:del|ins|moveFrom|moveTo|cellDel|cellIns)[\s/>]/;
const TRACKED_CHANGES_RTF = /\\(?:deleted|revised|mvf|mvt)(?![a-z])/;

const PRINT_RANGES = /\s(?:[\w.-]+:)?print-ranges\s*=\s*(?:"[^"]*"|'[^']*')/;

/**
 * The form into which LibreOffice has to bring a document first, because parts can't be taken out of it, or can't even be
 * found in it, as it is; null of one that needs none.
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
 * Takes out of a document what is hidden in it: print areas of hidden sheets, and tracked changes, as if they had been
 * accepted. A document of another kind stays as it is.
 * @returns null when there was nothing of it
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

/** Print areas belong to sheets by the place of the sheet in the list; one that belongs to none is taken out, too. */
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
  // Styles come before the tables that name them.
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

/** Deleted text stands with the list of changes; without the list what was inserted is as all other text. */
function removeTrackedChanges(xml: string): EditedPart {
  const lists = [...findElements(xml, 'tracked-changes')];
  const deletions = lists.some(({ start, end }) => !findTags(xml.slice(start, end), 'deletion').next().done);
  return { xml: applyReplacements(xml, lists), sheets: 0, deletions };
}

interface Replacement {
  readonly start: number;
  readonly end: number;
  /** Nothing, unless given. */
  readonly replacement?: string;
}

/** A text with other words in some places, which are given in their order. */
function applyReplacements(text: string, replacements: readonly Replacement[]): string {
  const pieces = replacements.flatMap(({ start, replacement = '' }, at) => [
    text.slice(replacements[at - 1]?.end ?? 0, start),
    replacement,
  ]);
  return [...pieces, text.slice(replacements.at(-1)?.end ?? 0)].join('');
}

async function hasTrackedChanges(bytes: ByteSource): Promise<boolean> {
  for (const entry of (await readEntries(bytes)).filter(({ name }) => WORD_PARTS.test(name)))
    if (TRACKED_CHANGES.test(await readPart(bytes, entry))) return true;
  return false;
}

/** Letter by byte: what is looked for is ASCII, and all else comes back as it was. */
async function readPart(bytes: ByteSource, entry: ZipEntry): Promise<string> {
  return (await readEntry(bytes, entry, MAX_PARTS)).toString('latin1');
}

/** The name of the part that lists the sheets of an Excel document, which its relations say. */
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
