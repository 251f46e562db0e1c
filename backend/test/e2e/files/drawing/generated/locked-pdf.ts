import { createCipheriv, createHash } from 'node:crypto';
import { pdfOf, rc4, stream } from './odd-pdf.js';

const PADDING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');
const ID = Buffer.alloc(16, 7);
const NO_VECTOR = Buffer.alloc(16);
/** Of the stream that is encrypted: its object. */
const CONTENT = 4;

const hex = (bytes: Buffer) => `<${bytes.toString('hex')}>`;
const hashOf = (name: string, ...parts: Buffer[]) => createHash(name).update(Buffer.concat(parts)).digest();

function aes(key: Buffer, bytes: Buffer, vector = NO_VECTOR, isPadded = false): Buffer {
  const cipher = createCipheriv(`aes-${key.length * 8}-cbc`, key, vector).setAutoPadding(isPadded);
  return Buffer.concat([cipher.update(bytes), cipher.final()]);
}

/** A page that says "Light", encrypted by a key. */
function pageLockedBy(encryption: string, key: Buffer): Buffer {
  const content = Buffer.concat([
    NO_VECTOR,
    aes(key, Buffer.from('BT /F1 20 Tf 10 50 Td (Light) Tj ET'), NO_VECTOR, true),
  ]);
  const font = '<< /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>';
  return pdfOf(
    [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents ${CONTENT} 0 R /Resources ${font} >>`,
      stream(content),
      encryption,
    ],
    `/Encrypt 5 0 R /ID [${hex(ID)} ${hex(ID)}]`,
  );
}

/** Locked as PDF 2.0 has it (revision 6, ISO 32000-2, 7.6.4). @param prepared the password as programs encrypt with it */
export function lockedByRevision6(prepared: string): Buffer {
  const password = Buffer.from(prepared);
  const key = Buffer.alloc(32, 9);
  const [validation, salt] = [Buffer.alloc(8, 1), Buffer.alloc(8, 2)];
  const entry = (more = Buffer.alloc(0)) => ({
    check: Buffer.concat([hardened(password, validation, more), validation, salt]),
    wrapped: aes(hardened(password, salt, more), key),
  });
  const user = entry();
  const owner = entry(user.check);
  const permissions = Buffer.from('fcffffffffffffff54616462' + '00000000', 'hex');
  const perms = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false).update(permissions);
  return pageLockedBy(
    `<< /Filter /Standard /V 5 /R 6 /Length 256 /P -4 /CF << /StdCF << /CFM /AESV3 /AuthEvent /DocOpen /Length 32 >> >>
      /StmF /StdCF /StrF /StdCF /U ${hex(user.check)} /UE ${hex(user.wrapped)} /O ${hex(owner.check)} /OE ${hex(owner.wrapped)}
      /Perms ${hex(perms)} >>`,
    key,
  );
}

/** Algorithm 2.B of ISO 32000-2. */
function hardened(password: Buffer, salt: Buffer, more: Buffer): Buffer {
  let key = hashOf('sha256', password, salt, more);
  for (let round = 0; ; round++) {
    const block = Buffer.concat([password, key, more]);
    const mixed = aes(
      key.subarray(0, 16),
      Buffer.concat(Array.from({ length: 64 }, () => block)),
      key.subarray(16, 32),
    );
    const rest = mixed.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3;
    key = hashOf(['sha256', 'sha384', 'sha512'][rest]!, mixed);
    if (round >= 63 && mixed.at(-1)! <= round - 31) return key.subarray(0, 32);
  }
}

/** Locked as PDF 1.6 has it, with strings that are not encrypted. */
export function lockedWithPlainStrings(password: string): Buffer {
  const owner = Buffer.alloc(32, 5);
  const padded = Buffer.concat([Buffer.from(password, 'latin1'), PADDING]).subarray(0, 32);
  let key = hashOf('md5', padded, owner, Buffer.from('fcffffff', 'hex'), ID);
  for (let round = 0; round < 50; round++) key = hashOf('md5', key);
  let check = rc4(key, hashOf('md5', PADDING, ID));
  for (let round = 1; round < 20; round++)
    check = rc4(
      key.map((byte) => byte ^ round),
      check,
    );
  const keyOfContent = hashOf('md5', key, Buffer.from([CONTENT, 0, 0, 0, 0]), Buffer.from('sAlT'));
  return pageLockedBy(
    `<< /Filter /Standard /V 4 /R 4 /Length 128 /P -4 /CF << /StdCF << /CFM /AESV2 /AuthEvent /DocOpen /Length 16 >> >>
      /StmF /StdCF /StrF /Identity /U ${hex(Buffer.concat([check, Buffer.alloc(16)]))} /O ${hex(owner)} >>`,
    keyOfContent,
  );
}
