import { MIB } from '../../text/byte-units.js';
import { RenderError } from '../rendering.errors.js';
import { readEntries, readEntry, type ByteSource } from './zip-archive.js';
import { CompoundFile, isCompoundFile } from './compound-file.js';

const ZIP_SIGNATURE = Buffer.from('504b0304', 'hex');
/** `fEncrypted` of the FIB (MS-DOC 2.5.1), at byte 10. */
const WORD_ENCRYPTED = 0x0100;
/** Records of a workbook (MS-XLS 2.4): BOF, and FilePass if it has a password. */
const BOF = 0x0809;
const FILE_PASS = 0x002f;
const RECORDS_READ = 4096;
/** `headerToken` of the CurrentUserAtom (MS-PPT 2.3.2), at byte 12. */
const PRESENTATION_ENCRYPTED = 0xf3d1c4df;
const MANIFEST = 'META-INF/manifest.xml';
/** Maximum bytes of the manifest, which has a line for each file of the document. */
const MAX_MANIFEST = 16 * MIB;

/** Whether an Office document has a password: Office since 2007, before 2007, or OpenDocument. */
export async function isPasswordProtected(bytes: ByteSource): Promise<boolean> {
  if (await isCompoundFile(bytes)) return isCompoundFileProtected(bytes);
  return (await bytes.read(0, 4)).equals(ZIP_SIGNATURE) && isOpenDocumentProtected(bytes);
}

async function isOpenDocumentProtected(bytes: ByteSource): Promise<boolean> {
  try {
    const manifest = (await readEntries(bytes)).find(({ name }) => name === MANIFEST);
    if (manifest === undefined) return false;
    return /<(?:\w+:)?encryption-data\b/.test((await readEntry(bytes, manifest, MAX_MANIFEST)).toString());
  } catch (error) {
    // Damaged, or too large for a manifest.
    if (error instanceof RenderError) return false;
    throw error;
  }
}

async function isCompoundFileProtected(bytes: ByteSource): Promise<boolean> {
  const streams = await CompoundFile.open(bytes);
  if (streams.hasStream('EncryptedPackage') || streams.hasStream('EncryptedSummary')) return true;
  const word = await streams.readStream('WordDocument', 12);
  if (word.length === 12 && (word.readUInt16LE(10) & WORD_ENCRYPTED) !== 0) return true;
  const presentation = await streams.readStream('Current User', 16);
  if (presentation.length === 16 && presentation.readUInt32LE(12) === PRESENTATION_ENCRYPTED) return true;
  for (const name of ['Workbook', 'Book']) if (hasFilePass(await streams.readStream(name, RECORDS_READ))) return true;
  return false;
}

/** FilePass is among the first records of a workbook. */
function hasFilePass(records: Buffer): boolean {
  if (records.length < 4 || records.readUInt16LE(0) !== BOF) return false;
  for (let at = 0; at + 4 <= records.length; at += 4 + records.readUInt16LE(at + 2))
    if (records.readUInt16LE(at) === FILE_PASS) return true;
  return false;
}
