import { GIB, MIB } from '../../text/sizes.js';
import { DrawingFailure } from '../drawing.errors.js';
import { bytesOf, entriesOf, unfold, unfoldedSize, type Bytes } from './archive.js';
import { localName, readXml, type Tag, type Xml } from './xml.js';

/** An archive in an archive, and one in that: what lies deeper is not read. */
const MAX_DEPTH = 2;
/** Bytes that a document and the archives in it unfold to, all together. */
const MAX_UNFOLDED = GIB;
/** Bytes of one part, and of one that is XML: its tags take several times as much memory. */
const MAX_PART = 256 * MIB;
const MAX_XML = 64 * MIB;
/** What a link to click on is called; it is followed by people only. */
const CLICKED = new Set(['hyperlink', 'hlinkClick', 'hlinkHover', 'hlinkMouseOver']);
/** Elements that have something come from elsewhere by themselves. */
const FETCHING = new Set(['dde-source', 'dde-connection-decl', 'ddeLink', 'oleLink', 'altChunk', 'webPr', 'dbPr']);
/** Fields and formulas that do. */
const FETCHED = /INCLUDEPICTURE|INCLUDETEXT|DDEAUTO|\bDDE\b|\bLINK\s+\w+\.|WEBSERVICE\s*\(|\bfile:\/|\\\\\w/i;
/** Elements that hold formulas, and how those name a sheet of another document: by its address, or in brackets. */
const FORMULAS = new Set(['f', 'definedName', 'formula', 'formula1', 'formula2']);
const BY_ADDRESS = /'[^']*'#/;
const OF_ADDRESSES = /[/\\:]/;
const OLD_FORM = Buffer.from('d0cf11e0', 'hex');
const ARCHIVE = Buffer.from('504b', 'hex');

/**
 * Refuses a document that names anything outside of it but links to click on: where LibreOffice sees the files of this
 * machine, it would show them. What cannot be read for sure is refused too.
 * @throws DrawingFailure
 */
export async function refuseReferences(bytes: Bytes): Promise<void> {
  await refuseIn(bytes, 0, { left: MAX_UNFOLDED });
}

/** How many bytes may still be unfolded. */
interface Allowance {
  left: number;
}

async function refuseIn(bytes: Bytes, depth: number, allowance: Allowance): Promise<void> {
  const entries = await entriesOf(bytes);
  allowance.left -= unfoldedSize(entries);
  if (allowance.left < 0) throw new DrawingFailure('too-large');
  const clicked = new Map<string, ReadonlySet<string>>();
  // They say what the parts beside them mean by their names.
  for (const entry of entries.filter(({ name }) => isRelations(name))) {
    if (/\/\/|\.\.?\/|[\\%]/.test(entry.name)) throw outside();
    const xml = xmlOf(await unfold(bytes, entry, MAX_PART));
    if (xml) clicked.set(partOf(entry.name), clickedIn(xml));
  }
  for (const entry of entries) {
    const content = await unfold(bytes, entry, MAX_PART);
    if (content.subarray(0, 4).equals(OLD_FORM)) throw outside();
    if (!content.subarray(0, 2).equals(ARCHIVE)) refuseFetching(content, clicked.get(entry.name.toLowerCase()));
    else if (depth === MAX_DEPTH) throw outside();
    else await refuseIn(bytesOf(content), depth + 1, allowance);
  }
}

function refuseFetching(content: Buffer, own: ReadonlySet<string> = new Set()): void {
  const xml = xmlOf(content);
  if (!xml) return;
  if (FETCHED.test(xml.text)) throw outside();
  const hasFormulas = xml.tags.some(({ name }) => FORMULAS.has(name));
  if (hasFormulas && (BY_ADDRESS.test(xml.text) || namesDocument(xml.text))) throw outside();
  for (const tag of xml.tags) if (isFetching(tag, own)) throw outside();
}

/**
 * Whether a formula names another document: `[C:\data.xlsx]Sheet`, `'C:\[data.xlsx]Sheet'`. Each letter is read once: patterns
 * for this would begin anew at each bracket.
 */
function namesDocument(text: string): boolean {
  const bracketed = text.split(']').slice(0, -1);
  if (bracketed.some((piece) => piece.includes('[') && OF_ADDRESSES.test(piece.slice(piece.indexOf('['))))) return true;
  const quoted = text.split("'").slice(1);
  return quoted.some((piece) => {
    const address = piece.search(OF_ADDRESSES);
    return address >= 0 && piece.includes('[', address);
  });
}

/** Null of what is none: it is pictures, fonts or plain words, which name nothing that is loaded. */
function xmlOf(content: Buffer): Xml | null {
  const head = content.subarray(0, 4);
  // UTF-16, by its mark or without one: no program writes it.
  const isWide = (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  if (isWide || (head.includes(0) && head.includes(0x3c))) throw outside();
  const start = content
    .subarray(0, 200)
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart();
  if (!start.startsWith('<')) return null;
  if (/^<\?xml[^>]*encoding\s*=\s*["'](?!utf-?8)/i.test(start)) throw outside();
  if (content.length > MAX_XML) throw new DrawingFailure('too-large');
  const xml = readXml(content.toString('utf8').replace(/^\ufeff/, ''));
  if (!xml) throw outside();
  return xml;
}

/** The names of links to click on. */
function clickedIn({ tags }: Xml): ReadonlySet<string> {
  const names = new Set<string>();
  for (const { name, attributes } of tags) {
    if (name !== 'Relationship') continue;
    const { Id: id = '', Type: type = '', Target: target = '', TargetMode: mode = '' } = Object.fromEntries(attributes);
    if (/\/aFChunk$/i.test(type)) throw outside();
    if (!/^external$/i.test(mode) && !isAddress(target)) continue;
    if (!/\/hyperlink$/.test(type)) throw outside();
    names.add(id);
  }
  return names;
}

function isFetching({ name, attributes }: Tag, clicked: ReadonlySet<string>): boolean {
  if (FETCHING.has(name)) return true;
  if (name === 'Relationship') return false;
  return attributes.some(([attribute, value]) => {
    if (attribute === 'xml:base') return true;
    if (clicked.has(value) && !CLICKED.has(name)) return true;
    if (localName(attribute) === 'formula' && BY_ADDRESS.test(value)) return true;
    const isLink = localName(attribute) === 'href' || attribute === 'src';
    if (isLink) return name !== 'a' && isElsewhere(value);
    return !attribute.startsWith('xmlns') && FETCHED.test(value);
  });
}

/** An address of something elsewhere. */
const isAddress = (address: string) => /^\s*(?:[a-z][a-z\d+.-]*:|[/\\]{2}|\\)/i.test(address);

/** Not a part of the document, by its name. */
function isElsewhere(name: string): boolean {
  if (/^(?:#|data:)/i.test(name)) return false;
  return isAddress(name) || /^\s*\/|(?:^|[/\\])\.\.(?:[/\\]|$)/.test(name);
}

const isRelations = (name: string) => /\.rels$/i.test(name);
/** The part that relations belong to: `word/_rels/document.xml.rels` to `word/document.xml`. */
const partOf = (name: string) => name.toLowerCase().replace(/(^|\/)_rels\/([^/]*)\.rels$/, '$1$2');
const outside = () => new DrawingFailure('outside');
