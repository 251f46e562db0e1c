import { readFile, rename } from 'node:fs/promises';
import { extname } from 'node:path';
import { MIB } from '../../text/sizes.js';
import { DrawingFailure } from '../drawing.errors.js';
import { entriesOf, rewriteArchive, unfold, withBytes, type Bytes, type Entry } from './archive.js';
import { CompoundFile, isCompoundFile } from './compound-file.js';
import { readXml } from './xml.js';

/** What a document holds that nobody sees who opens it, and that LibreOffice would print. */
export interface HiddenParts {
  readonly sheets: number;
  /** Whether text is in it that tracked changes have deleted. */
  readonly deletions: boolean;
}

/** The forms in which parts can be taken out of a document. */
export type OpenForm = 'odt' | 'ods';

/** Bytes of a part that is searched; a larger one would take LibreOffice more than its time. */
const MAX_PART = 256 * MIB;

const WORD = new Set(['.docx', '.dotx', '.docm', '.dotm']);
const EXCEL = new Set(['.xlsx', '.xltx', '.xlsm', '.xltm']);
/** Parts of a Word document that are printed. */
const WORD_PARTS = /^word\/(?:document|header|footer|footnotes|endnotes)\d*\.xml$/i;
const TRACKED = /<(?:[\w.-]+:)?(?:del|ins|moveFrom|moveTo|cellDel|cellIns)[\s/>]/;
const TRACKED_RTF = /\\(?:deleted|revised|mvf|mvt)(?![a-z])/;

/** The attributes of an element begin with a space, and their values may hold any sign but their quotation mark. */
const ATTRIBUTES = String.raw`(?=[\s/>])((?:[^>"']|"[^"]*"|'[^']*')*)`;
const start = (name: string) => `<(?:[\\w.-]+:)?${name}${ATTRIBUTES}>`;
const whole = (name: string) => `<((?:[\\w.-]+:)?${name})${ATTRIBUTES}(?:(?<=/)>|>[\\s\\S]*?</\\1\\s*>)`;

const SHEET = new RegExp(start('sheet'), 'g');
const DEFINED_NAME = new RegExp(whole('definedName'), 'g');
const TABLE = new RegExp(start('table'), 'g');
const TABLE_STYLE = new RegExp(`${start('style')}\\s*${start('table-properties')}`, 'g');
const PRINT_RANGES = /\s(?:[\w.-]+:)?print-ranges\s*=\s*(?:"[^"]*"|'[^']*')/;
const TRACKED_CHANGES = new RegExp(whole('tracked-changes'), 'g');
const DELETION = new RegExp(start('deletion'));

/**
 * The form into which LibreOffice has to bring a document first, because parts can't be taken out of it, or can't even be
 * found in it, as it is; null of one that needs none.
 */
export async function openFormFor(path: string): Promise<OpenForm | null> {
  const extension = extname(path);
  if (extension === '.rtf') return TRACKED_RTF.test(await readFile(path, 'latin1')) ? 'odt' : null;
  return withBytes(path, async (bytes) => {
    if (WORD.has(extension)) return (await isTracked(bytes)) ? 'odt' : null;
    if (!(await isCompoundFile(bytes))) return null;
    const streams = await CompoundFile.open(bytes);
    if (streams.has('WordDocument')) return 'odt';
    return streams.has('Workbook') || streams.has('Book') ? 'ods' : null;
  });
}

/**
 * Takes out of a document what is hidden in it: print areas of hidden sheets, and tracked changes, as if they had been
 * accepted. A document of another kind stays as it is.
 * @returns null when there was nothing of it
 * @throws DrawingFailure for an archive that is damaged or too large
 */
export async function takeOutHidden(path: string): Promise<HiddenParts | null> {
  const edit = editOf(extname(path));
  if (!edit) return null;
  const edited = await withBytes(path, async (bytes) => {
    const entries = await entriesOf(bytes);
    const names = edit === editWorkbook ? [await workbookOf(bytes, entries)] : ['content.xml', 'styles.xml'];
    const parts: (Edited & { readonly name: string; readonly isChanged: boolean })[] = [];
    for (const entry of entries.filter(({ name }) => names.includes(name))) {
      const before = await contentOf(bytes, entry);
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

interface Edited extends HiddenParts {
  readonly xml: string;
}

function editOf(extension: string): ((xml: string) => Edited) | null {
  if (EXCEL.has(extension)) return editWorkbook;
  if (extension === '.ods') return editSpreadsheet;
  return extension === '.odt' ? editText : null;
}

/** Print areas belong to sheets by the place of the sheet in the list; one that belongs to none is taken out, too. */
function editWorkbook(xml: string): Edited {
  const states = [...xml.matchAll(SHEET)].map(([, attributes]) => attributeOf(attributes!, 'state'));
  const isHidden = states.map((state) => state === 'hidden' || state === 'veryHidden');
  const sheets = isHidden.filter(Boolean).length;
  if (sheets === 0) return { xml, sheets, deletions: false };
  const shown = xml.replace(DEFINED_NAME, (element: string, _name: string, attributes: string) => {
    const isPrintArea = /print_area$/i.test(attributeOf(attributes, 'name') ?? '');
    return isPrintArea && isHidden[Number(attributeOf(attributes, 'localSheetId') ?? NaN)] !== false ? '' : element;
  });
  return { xml: shown, sheets, deletions: false };
}

function editSpreadsheet(xml: string): Edited {
  const hidden = new Set<string | undefined>();
  for (const [, style, properties] of xml.matchAll(TABLE_STYLE))
    if (attributeOf(properties!, 'display') === 'false') hidden.add(attributeOf(style!, 'name'));
  let sheets = 0;
  const shown = xml.replace(TABLE, (tag: string, attributes: string) => {
    if (!hidden.has(attributeOf(attributes, 'style-name'))) return tag;
    sheets++;
    return tag.replace(PRINT_RANGES, '');
  });
  return { xml: shown, sheets, deletions: false };
}

/** Deleted text stands with the list of changes; without the list what was inserted is as all other text. */
function editText(xml: string): Edited {
  let deletions = false;
  const shown = xml.replace(TRACKED_CHANGES, (element: string) => {
    deletions ||= DELETION.test(element);
    return '';
  });
  return { xml: shown, sheets: 0, deletions };
}

async function isTracked(bytes: Bytes): Promise<boolean> {
  for (const entry of (await entriesOf(bytes)).filter(({ name }) => WORD_PARTS.test(name)))
    if (TRACKED.test(await contentOf(bytes, entry))) return true;
  return false;
}

/** Letter by byte: what is looked for is ASCII, and all else comes back as it was. */
async function contentOf(bytes: Bytes, entry: Entry): Promise<string> {
  if (entry.size > MAX_PART) throw new DrawingFailure('too-large');
  return (await unfold(bytes, entry)).toString('latin1');
}

/** The name of the part that lists the sheets of an Excel document, which its relations say. */
async function workbookOf(bytes: Bytes, entries: readonly Entry[]): Promise<string> {
  const relations = entries.find(({ name }) => name === '_rels/.rels');
  const xml = relations && readXml((await unfold(bytes, relations)).toString().replace(/^\ufeff/, ''));
  for (const { attributes } of xml?.tags ?? []) {
    const { Type: type = '', Target: target = '' } = Object.fromEntries(attributes);
    if (type.endsWith('/officeDocument')) return target.replace(/^\//, '');
  }
  return 'xl/workbook.xml';
}

function attributeOf(attributes: string, name: string): string | undefined {
  const found = new RegExp(`\\s(?:[\\w.-]+:)?${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes);
  return found?.[1] ?? found?.[2];
}
