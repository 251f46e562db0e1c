import { GIB, MIB } from '../../text/byte-units.js';
import { RenderError } from '../rendering.errors.js';
import { toByteSource, readEntries, readEntry, uncompressedSize, type ByteSource } from './zip-archive.js';
import { localName, readXml, type XmlTag, type XmlDocument } from './xml.js';

/** Archives are read to this nesting depth; deeper ones are ignored. */
const MAX_DEPTH = 2;
/** Maximum uncompressed bytes of a document and its nested archives in total. */
const MAX_UNCOMPRESSED = GIB;
/** Maximum bytes of a part, and of an XML part, whose tags need several times as much memory. */
const MAX_PART = 256 * MIB;
const MAX_XML = 64 * MIB;
/** Hyperlinks, which are followed only when clicked. */
const LINK_ELEMENTS = new Set(['hyperlink', 'hlinkClick', 'hlinkHover', 'hlinkMouseOver']);
/** Elements that load external content automatically. */
const FETCHING_ELEMENTS = new Set([
  'dde-source',
  'dde-connection-decl',
  'ddeLink',
  'oleLink',
  'altChunk',
  'webPr',
  'dbPr',
]);
/** Fields and formulas that do the same. */
const FETCHING_FIELDS = /INCLUDEPICTURE|INCLUDETEXT|DDEAUTO|\bDDE\b|\bLINK\s+\w+\.|WEBSERVICE\s*\(|\bfile:\/|\\\\\w/i;
/**
 * Elements that contain formulas, and the two ways in which formulas refer to a sheet of another document: by URL, or
 * in brackets.
 */
const FORMULA_ELEMENTS = new Set(['f', 'definedName', 'formula', 'formula1', 'formula2']);
const SHEET_BY_ADDRESS = /'[^']*'#/;
const ADDRESS_CHARACTERS = /[/\\:]/;
const COMPOUND_SIGNATURE = Buffer.from('d0cf11e0', 'hex');
const ZIP_SIGNATURE = Buffer.from('504b', 'hex');

/**
 * Rejects a document that refers to anything outside of it, except for hyperlinks: where LibreOffice has access to the
 * files of this machine, it would show them. Anything that can't be parsed reliably is rejected too.
 * @throws RenderError
 */
export async function assertNoExternalReferences(bytes: ByteSource): Promise<void> {
  await checkArchive(bytes, 0, { left: MAX_UNCOMPRESSED });
}

/** Remaining bytes that may be uncompressed. */
interface UncompressedBudget {
  left: number;
}

async function checkArchive(bytes: ByteSource, depth: number, allowance: UncompressedBudget): Promise<void> {
  const entries = await readEntries(bytes);
  allowance.left -= uncompressedSize(entries);
  if (allowance.left < 0) throw new RenderError('too-large');
  const clicked = new Map<string, ReadonlySet<string>>();
  // Relationship parts define what the ids in other parts refer to.
  for (const entry of entries.filter(({ name }) => isRelationsPart(name))) {
    if (/\/\/|\.\.?\/|[\\%]/.test(entry.name)) throw externalReferenceError();
    const xml = parseXml(await readEntry(bytes, entry, MAX_PART));
    if (xml) clicked.set(partOfRelations(entry.name), findLinkIds(xml));
  }
  for (const entry of entries) {
    const content = await readEntry(bytes, entry, MAX_PART);
    if (content.subarray(0, 4).equals(COMPOUND_SIGNATURE)) throw externalReferenceError();
    if (!content.subarray(0, 2).equals(ZIP_SIGNATURE)) assertNoFetching(content, clicked.get(entry.name.toLowerCase()));
    else if (depth === MAX_DEPTH) throw externalReferenceError();
    else await checkArchive(toByteSource(content), depth + 1, allowance);
  }
}

function assertNoFetching(content: Buffer, linkIds: ReadonlySet<string> = new Set()): void {
  const xml = parseXml(content);
  if (!xml) return;
  if (FETCHING_FIELDS.test(xml.text)) throw externalReferenceError();
  const hasFormulas = xml.tags.some(({ name }) => FORMULA_ELEMENTS.has(name));
  if (hasFormulas && (SHEET_BY_ADDRESS.test(xml.text) || hasDocumentReference(xml.text)))
    throw externalReferenceError();
  for (const tag of xml.tags) if (isFetching(tag, linkIds)) throw externalReferenceError();
}

/**
 * Whether a formula refers to another document: `[C:\data.xlsx]Sheet`, `'C:\[data.xlsx]Sheet'`. Takes linear time; a
 * regular expression would restart at each bracket.
 */
function hasDocumentReference(text: string): boolean {
  const bracketed = text.split(']').slice(0, -1);
  if (bracketed.some((part) => part.includes('[') && ADDRESS_CHARACTERS.test(part.slice(part.indexOf('[')))))
    return true;
  const quoted = text.split("'").slice(1);
  return quoted.some((part) => {
    const address = part.search(ADDRESS_CHARACTERS);
    return address >= 0 && part.includes('[', address);
  });
}

/** Returns null for anything but XML: pictures, fonts and plain text load nothing. */
function parseXml(content: Buffer): XmlDocument | null {
  const head = content.subarray(0, 4);
  // UTF-16, with or without a byte order mark, which no program writes.
  const isWide = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  if (isWide || (head.includes(0) && head.includes(0x3c))) throw externalReferenceError();
  const start = content
    .subarray(0, 200)
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart();
  if (!start.startsWith('<')) return null;
  if (/^<\?xml[^>]*encoding\s*=\s*["'](?!utf-?8)/i.test(start)) throw externalReferenceError();
  if (content.length > MAX_XML) throw new RenderError('too-large');
  const xml = readXml(content.toString('utf8').replace(/^\ufeff/, ''));
  if (!xml) throw externalReferenceError();
  return xml;
}

/** Returns the ids of hyperlinks. */
function findLinkIds({ tags }: XmlDocument): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { name, attributes } of tags) {
    if (name !== 'Relationship') continue;
    const { Id: id = '', Type: type = '', Target: target = '', TargetMode: mode = '' } = Object.fromEntries(attributes);
    if (/\/aFChunk$/i.test(type)) throw externalReferenceError();
    if (!/^external$/i.test(mode) && !isExternalAddress(target)) continue;
    if (!/\/hyperlink$/.test(type)) throw externalReferenceError();
    names.add(id);
  }
  return names;
}

function isFetching({ name, attributes }: XmlTag, linkIds: ReadonlySet<string>): boolean {
  if (FETCHING_ELEMENTS.has(name)) return true;
  if (name === 'Relationship') return false;
  return attributes.some(([attribute, value]) => {
    if (attribute === 'xml:base') return true;
    if (linkIds.has(value) && !LINK_ELEMENTS.has(name)) return true;
    if (localName(attribute) === 'formula' && SHEET_BY_ADDRESS.test(value)) return true;
    const isLink = localName(attribute) === 'href' || attribute === 'src';
    if (isLink) return name !== 'a' && isOutsideDocument(value);
    return !attribute.startsWith('xmlns') && FETCHING_FIELDS.test(value);
  });
}

/** Whether it is an address outside of the document. */
const isExternalAddress = (address: string) => /^\s*(?:[a-z][a-z\d+.-]*:|[/\\]{2}|\\)/i.test(address);

/** Whether a name refers to something outside of the document. */
function isOutsideDocument(name: string): boolean {
  if (/^(?:#|data:)/i.test(name)) return false;
  return isExternalAddress(name) || /^\s*\/|(?:^|[/\\])\.\.(?:[/\\]|$)/.test(name);
}

const isRelationsPart = (name: string) => /\.rels$/i.test(name);
/** Returns the part that a relationship part describes: `word/_rels/document.xml.rels` → `word/document.xml`. */
const partOfRelations = (name: string) => name.toLowerCase().replace(/(^|\/)_rels\/([^/]*)\.rels$/, '$1$2');
const externalReferenceError = () => new RenderError('outside');
