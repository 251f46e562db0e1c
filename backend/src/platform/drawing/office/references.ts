import { DrawingFailure } from '../drawing.errors.js';
import { bytesOf, entriesOf, unfold, type Bytes, type Entry } from './archive.js';
import { localName, readXml, type Tag, type Xml } from './xml.js';

/** An archive in an archive, and one in that: what lies deeper is not read. */
const MAX_DEPTH = 2;
/** What a link to click on is called; it is followed by people only. */
const CLICKED = new Set(['hyperlink', 'hlinkClick', 'hlinkHover', 'hlinkMouseOver']);
/** Elements that have something come from elsewhere by themselves. */
const FETCHING = new Set(['dde-source', 'dde-connection-decl', 'ddeLink', 'oleLink', 'altChunk', 'webPr', 'dbPr']);
/** Fields and formulas that do. */
const FETCHED = /INCLUDEPICTURE|INCLUDETEXT|DDEAUTO|\bDDE\b|\bLINK\s+\w+\.|WEBSERVICE\s*\(|\bfile:\/|\\\\\w/i;
/** Elements that hold formulas, and how those name a sheet of another document: by its address, or in brackets. */
const FORMULAS = new Set(['f', 'definedName', 'formula', 'formula1', 'formula2']);
const BY_ADDRESS = /'[^']*'#/;
const IN_BRACKETS = /\[[^\]]*[/\\:][^\]]*\]|'[^']*[/\\:][^']*\[/;
const OLD_FORM = Buffer.from('d0cf11e0', 'hex');
const ARCHIVE = Buffer.from('504b', 'hex');

/**
 * Refuses a document that names anything outside of it but links to click on: where LibreOffice sees the files of this
 * machine, it would show them. What cannot be read for sure is refused too.
 * @throws DrawingFailure
 */
export async function refuseReferences(bytes: Bytes): Promise<void> {
  await refuseIn(bytes, 0);
}

async function refuseIn(bytes: Bytes, depth: number): Promise<void> {
  const entries = await entriesOf(bytes);
  const clicked = new Map<string, ReadonlySet<string>>();
  // They say what the parts beside them mean by their names.
  for (const entry of entries.filter(({ name }) => isRelations(name))) {
    if (/\/\/|\.\.?\/|[\\%]/.test(entry.name)) throw outside();
    const xml = xmlOf(await unfold(bytes, entry));
    if (xml) clicked.set(partOf(entry.name), clickedIn(xml));
  }
  for (const entry of entries) await look(bytes, entry, clicked, depth);
}

async function look(
  bytes: Bytes,
  entry: Entry,
  clicked: ReadonlyMap<string, ReadonlySet<string>>,
  depth: number,
): Promise<void> {
  const content = await unfold(bytes, entry);
  if (content.subarray(0, 4).equals(OLD_FORM)) throw outside();
  if (content.subarray(0, 2).equals(ARCHIVE)) {
    if (depth === MAX_DEPTH) throw outside();
    await refuseIn(bytesOf(content), depth + 1);
    return;
  }
  const xml = xmlOf(content);
  if (!xml) return;
  if (FETCHED.test(xml.text)) throw outside();
  const hasFormulas = xml.tags.some(({ name }) => FORMULAS.has(name));
  if (hasFormulas && (BY_ADDRESS.test(xml.text) || IN_BRACKETS.test(xml.text))) throw outside();
  const own = clicked.get(entry.name.toLowerCase()) ?? new Set();
  for (const tag of xml.tags) if (isFetching(tag, own)) throw outside();
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
