/** A start tag: its name without prefix, and its attributes. */
export interface XmlTag {
  readonly name: string;
  /** Names as written, values with entities decoded. */
  readonly attributes: readonly (readonly [name: string, value: string])[];
}

/** The start tags of an XML document, and all its text, concatenated. */
export interface XmlDocument {
  readonly tags: readonly XmlTag[];
  readonly text: string;
}

const SPACE = /\s*/y;
const ATTRIBUTE = /([^\s=/<>"']+)\s*=\s*(?:"([^"]*)"|'([^']*)')/y;

/** Parses XML in a single pass; null if it is invalid, or ambiguous because it declares its own entities. */
export function readXml(xml: string): XmlDocument | null {
  const tags: XmlTag[] = [];
  const texts: string[] = [];
  for (let at = 0; at < xml.length;) {
    const start = xml.indexOf('<', at);
    texts.push(decodeEntities(xml.slice(at, start < 0 ? xml.length : start)));
    if (start < 0) break;
    const end = findEnd(xml, start);
    if (end === null) return null;
    const inside = xml.slice(start, end);
    if (inside.startsWith('<![CDATA[')) texts.push(inside.slice(9, -3));
    else if (/^<[^!?/]/.test(inside)) {
      const tag = readTag(inside);
      if (!tag) return null;
      tags.push(tag);
    }
    at = end;
  }
  return { tags, text: texts.join('') };
}

/** The position of a start or end tag in XML text. */
export interface XmlTagSpan {
  /** Without its prefix. */
  readonly name: string;
  readonly isEnd: boolean;
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  /** As written, with the angle brackets. */
  readonly source: string;
}

/**
 * Finds tags by local name. Takes linear time, so that no text can keep this process busy. Stops at an unterminated tag
 * or comment, after which the text isn't XML.
 */
export function* findTags(xml: string, ...names: string[]): Generator<XmlTagSpan> {
  const starts = new RegExp(`<(?:!--|!\\[CDATA\\[|\\?|(/?)(?:[\\w.-]+:)?(${names.join('|')})(?=[\\s/>]))`, 'g');
  for (let found = starts.exec(xml); found; found = starts.exec(xml)) {
    const start = found.index;
    const end = findEnd(xml, start);
    if (end === null) return;
    starts.lastIndex = end;
    const [, slash, name] = found;
    if (name !== undefined) yield { name, isEnd: slash === '/', start, end, source: xml.slice(start, end) };
  }
}

/** The position of an element in XML text. */
export interface XmlElementSpan {
  readonly start: number;
  readonly end: number;
  readonly startTag: string;
}

/** Finds elements by local name. Elements of that name must not be nested; unterminated ones are omitted. */
export function* findElements(xml: string, name: string): Generator<XmlElementSpan> {
  let opened: XmlTagSpan | null = null;
  for (const tag of findTags(xml, name)) {
    if (!tag.isEnd) opened ??= tag;
    if (opened === null || !(tag.isEnd || isSelfClosing(opened))) continue;
    yield { start: opened.start, end: tag.end, startTag: opened.source };
    opened = null;
  }
}

/** Whether a start tag is a complete element. */
export const isSelfClosing = ({ source }: XmlTagSpan): boolean => source.endsWith('/>');

/** Returns the value of an attribute by its local name. */
export function readAttribute(startTag: string, name: string): string | undefined {
  return readTag(startTag)?.attributes.find(([attribute]) => localName(attribute) === name)?.[1];
}

/** Returns the index after the markup that starts there; null when it is unterminated, or a declaration. */
function findEnd(xml: string, start: number): number | null {
  const after = (closing: string) => {
    const at = xml.indexOf(closing, start);
    return at < 0 ? null : at + closing.length;
  };
  if (xml.startsWith('<!--', start)) return after('-->');
  if (xml.startsWith('<?', start)) return after('?>');
  if (xml.startsWith('<![CDATA[', start)) return after(']]>');
  if (xml.startsWith('<!', start)) return null;
  let quote = '';
  for (let index = start; index < xml.length; index++) {
    const letter = xml[index]!;
    if (quote !== '') quote = letter === quote ? '' : quote;
    else if (letter === '>') return index + 1;
    else if (letter === '"' || letter === "'") quote = letter;
  }
  return null;
}

function readTag(inside: string): XmlTag | null {
  const name = /^<([^\s/>]+)/.exec(inside)?.[1];
  if (name === undefined) return null;
  const attributes: (readonly [string, string])[] = [];
  for (let at = name.length + 1; ;) {
    at += matchAt(SPACE, inside, at)![0].length;
    if (/^\/?>$/.test(inside.slice(at, at + 3))) return { name: localName(name), attributes };
    const found = matchAt(ATTRIBUTE, inside, at);
    if (!found) return null;
    attributes.push([found[1]!, decodeEntities(found[2] ?? found[3]!)]);
    at += found[0].length;
  }
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

/** Removes the namespace prefix. */
export const localName = (name: string) => name.slice(name.indexOf(':') + 1);

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decodeEntities(text: string): string {
  return text.replace(/&(#x[\da-f]{1,6}|#\d{1,7}|amp|lt|gt|quot|apos);/gi, (whole, sign: string) => {
    if (!sign.startsWith('#')) return ENTITIES[sign.toLowerCase()]!;
    const code = /^#x/i.test(sign) ? parseInt(sign.slice(2), 16) : Number(sign.slice(1));
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
