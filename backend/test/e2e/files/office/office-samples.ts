import { crc32, deflateRawSync } from 'node:zlib';
import {
  centralDirectoryHeader,
  dataDescriptor,
  endOfCentralDirectory,
  localFileHeader,
  type ZipRecord,
} from '../../../../src/modules/files/zip/zip-format.js';

/**
 * Builds a ZIP of these files.
 * @param claimedSize false size in the central directory for each file
 */
export function createZip(files: Record<string, string | Buffer>, claimedSize?: number): Buffer {
  const parts: Buffer[] = [];
  const directoryEntries: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(files)) {
    const bytes = Buffer.from(content);
    // OpenDocument is recognised by its first file, which is never compressed.
    const isStreamed = name !== 'mimetype';
    const packed = isStreamed ? deflateRawSync(bytes) : bytes;
    const sums = { crc: crc32(bytes), compressedSize: packed.length, size: bytes.length };
    const record: ZipRecord = { path: Buffer.from(name), date: new Date(0), isStreamed, offset, ...sums };
    const entry = Buffer.concat([localFileHeader(record), packed, ...(isStreamed ? [dataDescriptor(record)] : [])]);
    parts.push(entry);
    directoryEntries.push(centralDirectoryHeader({ ...record, size: claimedSize ?? record.size }));
    offset += entry.length;
  }
  const directory = Buffer.concat(directoryEntries);
  return Buffer.concat([...parts, directory, endOfCentralDirectory(directoryEntries.length, offset, directory.length)]);
}

const XML = '<?xml version="1.0" encoding="UTF-8"?>';
const NAMESPACES = Object.entries({
  office: 'office',
  text: 'text',
  table: 'table',
  draw: 'drawing',
}).map(([short, name]) => `xmlns:${short}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`);
const EXTRA_NAMESPACES = [
  'xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0"',
  'xmlns:xlink="http://www.w3.org/1999/xlink"',
  'xmlns:script="urn:oasis:names:tc:opendocument:xmlns:script:1.0"',
  // Without these namespaces, event names mean nothing and no handler is bound.
  'xmlns:dom="http://www.w3.org/2001/xml-events"',
  'xmlns:ooo="http://openoffice.org/2004/office"',
  'xmlns:of="urn:oasis:names:tc:opendocument:xmlns:of:1.2"',
];

/**
 * @param bodyPrefix content before the body
 * @param extraFiles additional files in it
 */
function openDocument(
  kind: 'text' | 'spreadsheet' | 'presentation',
  body: string,
  bodyPrefix = '',
  extraFiles: Record<string, string> = {},
): Buffer {
  const type = `application/vnd.oasis.opendocument.${kind}`;
  const content = `${XML}<office:document-content ${[...NAMESPACES, ...EXTRA_NAMESPACES].join(' ')} office:version="1.2">${bodyPrefix}
    <office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`;
  const files: Record<string, string> = { 'content.xml': content, ...extraFiles };
  const entries = [['/', type], ...Object.keys(files).map((path) => [path, 'text/xml'])].map(
    ([path, media]) => `<manifest:file-entry manifest:full-path="${path}" manifest:media-type="${media}"/>`,
  );
  const manifest = `${XML}<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.2">${entries.join('')}</manifest:manifest>`;
  return createZip({ mimetype: type, ...files, 'META-INF/manifest.xml': manifest });
}

export const odt = (body: string) => openDocument('text', body);
export const paragraph = (text: string) => `<text:p>${text}</text:p>`;

/** A document's macros, in a module of that name. */
function basicLibrary(basic: string): Record<string, string> {
  const library = 'xmlns:library="http://openoffice.org/2000/library"';
  return {
    'Basic/script-lc.xml': `${XML}<library:libraries ${library} xmlns:xlink="http://www.w3.org/1999/xlink"><library:library library:name="Standard" library:link="false"/></library:libraries>`,
    'Basic/Standard/script-lb.xml': `${XML}<library:library ${library} library:name="Standard" library:readonly="false" library:passwordprotected="false"><library:element library:name="Module1"/></library:library>`,
    'Basic/Standard/Module1.xml': `${XML}<script:module xmlns:script="http://openoffice.org/2000/script" script:name="Module1" script:language="StarBasic">${basic}</script:module>`,
  };
}

/** Continues if it can't write. */
const writeMarker = (markerPath: string) => `On Error Resume Next
  Open "${markerPath}" For Output As #1
  Close #1`;

/**
 * A text with a macro that changes it when it is opened.
 * @param markerPath a file that the macro writes
 */
export function withMacro(text: string, markerPath: string): Buffer {
  const main = 'vnd.sun.star.script:Standard.Module1.Main?language=Basic&amp;location=document';
  return openDocument(
    'text',
    paragraph(text),
    `<office:scripts><office:event-listeners><script:event-listener script:language="ooo:script" script:event-name="dom:load"
      xlink:href="${main}" xlink:type="simple"/></office:event-listeners></office:scripts>`,
    basicLibrary(`Sub Main
      ThisComponent.getText().setString("Changed")
      ${writeMarker(markerPath)}
      End Sub`),
  );
}

/**
 * A sheet with a cell calculated by a macro.
 * @param markerPath a file that the macro writes
 */
export function withUserFunction(text: string, markerPath: string): Buffer {
  const cells = `<table:table-cell office:value-type="string">${paragraph(text)}</table:table-cell><table:table-cell table:formula="of:=RECKONED()"/>`;
  return openDocument(
    'spreadsheet',
    `<table:table table:name="One"><table:table-row>${cells}</table:table-row></table:table>`,
    '',
    basicLibrary(`Function RECKONED()
      RECKONED = "Changed"
      ${writeMarker(markerPath)}
      End Function`),
  );
}

export const ods = (...cells: string[]) =>
  openDocument(
    'spreadsheet',
    `<table:table table:name="One"><table:table-row>${cells
      .map((cell) => `<table:table-cell office:value-type="string">${paragraph(cell)}</table:table-cell>`)
      .join('')}</table:table-row></table:table>`,
  );

export const odp = (text: string) =>
  openDocument(
    'presentation',
    `<draw:page draw:name="One"><draw:frame svg:x="1cm" svg:y="1cm" svg:width="20cm" svg:height="3cm">
      <draw:text-box>${paragraph(text)}</draw:text-box></draw:frame></draw:page>`,
  );

const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const SHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';

/** A relationship of an OOXML part. */
type Relationship = readonly [id: string, type: string, target: string, isElsewhere?: boolean];

const relationshipsXml = (...all: Relationship[]) =>
  `${XML}<Relationships xmlns="${PACKAGE}/relationships">${all
    .map(
      ([id, type, target, isExternal]) =>
        `<Relationship Id="${id}" Type="${OFFICE}/${type}" Target="${target}"${isExternal ? ' TargetMode="External"' : ''}/>`,
    )
    .join('')}</Relationships>`;

const contentTypesXml = (...parts: readonly (readonly [path: string, type: string])[]) =>
  `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
    <Default Extension="xml" ContentType="application/xml"/><Default Extension="html" ContentType="text/html"/><Default Extension="png" ContentType="image/png"/>${parts
      .map(
        ([path, type]) =>
          `<Override PartName="${path}" ContentType="application/vnd.openxmlformats-officedocument.${type}+xml"/>`,
      )
      .join('')}</Types>`;

/**
 * A Word document.
 * @param body content after its text
 * @param links its relationships
 * @param extraFiles additional files in it
 */
export const docx = (
  text: string,
  body = '',
  links: Relationship[] = [],
  extraFiles: Record<string, string | Buffer> = {},
) =>
  createZip({
    '[Content_Types].xml': contentTypesXml(['/word/document.xml', 'wordprocessingml.document.main']),
    '_rels/.rels': relationshipsXml(['a', 'officeDocument', 'word/document.xml']),
    'word/_rels/document.xml.rels': relationshipsXml(...links),
    'word/document.xml': `${XML}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:r="${OFFICE}" xmlns:v="urn:schemas-microsoft-com:vml">
      <w:body><w:p><w:r><w:t>${text}</w:t></w:r></w:p>${body}</w:body></w:document>`,
    ...extraFiles,
  });

/** An image by its relationship id. */
export const pictureShape = (name: string) =>
  `<w:p><w:r><w:pict><v:shape style="width:300pt;height:200pt"><v:imagedata r:id="${name}"/></v:shape></w:pict></w:r></w:p>`;
/** A field, with its instruction split into the given runs. */
export const fieldCode = (...instructions: string[]) =>
  `<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r>${instructions
    .map((word) => `<w:r><w:instrText xml:space="preserve">${word}</w:instrText></w:r>`)
    .join(
      '',
    )}<w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>.</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>`;

/**
 * An Excel sheet with these rows.
 * @param extraFiles additional files in it
 */
export const xlsx = (rows: readonly string[], extraFiles: Record<string, string> = {}, links: Relationship[] = []) =>
  createZip({
    '[Content_Types].xml': contentTypesXml(
      ['/xl/workbook.xml', 'spreadsheetml.sheet.main'],
      ['/xl/worksheets/sheet1.xml', 'spreadsheetml.worksheet'],
      ...(links.length > 0 ? [['/xl/externalLinks/externalLink1.xml', 'spreadsheetml.externalLink'] as const] : []),
    ),
    '_rels/.rels': relationshipsXml(['a', 'officeDocument', 'xl/workbook.xml']),
    'xl/_rels/workbook.xml.rels': relationshipsXml(['s', 'worksheet', 'worksheets/sheet1.xml'], ...links),
    'xl/workbook.xml': `${XML}<workbook xmlns="${SHEET}" xmlns:r="${OFFICE}"><sheets><sheet name="One" sheetId="1" r:id="s"/></sheets>${links
      .map(([id]) => `<externalReferences><externalReference r:id="${id}"/></externalReferences>`)
      .join('')}</workbook>`,
    'xl/worksheets/sheet1.xml': `${XML}<worksheet xmlns="${SHEET}"><sheetData>${rows
      .map((cell, index) => `<row r="${index + 1}">${cell}</row>`)
      .join('')}</sheetData></worksheet>`,
    ...extraFiles,
  });
export const cell = (text: string) => `<c t="inlineStr"><is><t>${text}</t></is></c>`;

export const rtf = (text: string) => Buffer.from(`{\\rtf1\\ansi ${text}\\par}`);

/** Images and texts that are linked from an address instead of embedded. */
export const linkedObjects = (address: string) => `
  <text:p><draw:frame svg:width="15cm" svg:height="10cm" text:anchor-type="as-char">
    <draw:image xlink:href="${address}" xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad"/></draw:frame></text:p>
  <text:p><draw:frame svg:width="15cm" svg:height="10cm" text:anchor-type="as-char">
    <draw:object xlink:href="${address}" xlink:type="simple" xlink:show="embed" xlink:actuate="onLoad"/></draw:frame></text:p>
  <text:section text:name="Linked"><text:section-source xlink:href="${address}" xlink:type="simple"/></text:section>`;
