import { createCipheriv, createHash } from 'node:crypto';
import { buildPdf, rc4, pdfStream } from './pdf-samples.js';

const PADDING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex');
const ID = Buffer.alloc(16, 7);
const ZERO_IV = Buffer.alloc(16);
/** Object number of the encrypted stream. */
const CONTENT_OBJECT = 4;

const hex = (bytes: Buffer) => `<${bytes.toString('hex')}>`;
const digest = (name: string, ...parts: Buffer[]) => createHash(name).update(Buffer.concat(parts)).digest();

function encryptAes(key: Buffer, bytes: Buffer, iv = ZERO_IV, isPadded = false): Buffer {
  const cipher = createCipheriv(`aes-${key.length * 8}-cbc`, key, iv).setAutoPadding(isPadded);
  return Buffer.concat([cipher.update(bytes), cipher.final()]);
}

/** A page with the text "Light", encrypted with a key. */
function buildEncryptedPage(encryption: string, key: Buffer): Buffer {
  const content = Buffer.concat([
    ZERO_IV,
    encryptAes(key, Buffer.from('BT /F1 20 Tf 10 50 Td (Light) Tj ET'), ZERO_IV, true),
  ]);
  const font = '<< /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>';
  return buildPdf(
    [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 100 100] /Contents ${CONTENT_OBJECT} 0 R /Resources ${font} >>`,
      pdfStream(content),
      encryption,
    ],
    `/Encrypt 5 0 R /ID [${hex(ID)} ${hex(ID)}]`,
  );
}

/**
 * Encrypted as in PDF 2.0 (revision 6, ISO 32000-2, 7.6.4).
 * @param preparedPassword the password after the normalisation encryption programs apply
 */
export function encryptedByRevision6(preparedPassword: string): Buffer {
  const password = Buffer.from(preparedPassword);
  const key = Buffer.alloc(32, 9);
  const [validation, salt] = [Buffer.alloc(8, 1), Buffer.alloc(8, 2)];
  const entry = (userKey = Buffer.alloc(0)) => ({
    check: Buffer.concat([hashRevision6(password, validation, userKey), validation, salt]),
    wrapped: encryptAes(hashRevision6(password, salt, userKey), key),
  });
  const user = entry();
  const owner = entry(user.check);
  const permissions = Buffer.from('fcffffffffffffff54616462' + '00000000', 'hex');
  const perms = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false).update(permissions);
  return buildEncryptedPage(
    `<< /Filter /Standard /V 5 /R 6 /Length 256 /P -4 /CF << /StdCF << /CFM /AESV3 /AuthEvent /DocOpen /Length 32 >> >>
      /StmF /StdCF /StrF /StdCF /U ${hex(user.check)} /UE ${hex(user.wrapped)} /O ${hex(owner.check)} /OE ${hex(owner.wrapped)}
      /Perms ${hex(perms)} >>`,
    key,
  );
}

/** Algorithm 2.B of ISO 32000-2. */
function hashRevision6(password: Buffer, salt: Buffer, userKey: Buffer): Buffer {
  let key = digest('sha256', password, salt, userKey);
  for (let round = 0; ; round++) {
    const block = Buffer.concat([password, key, userKey]);
    const encrypted = encryptAes(
      key.subarray(0, 16),
      Buffer.concat(Array.from({ length: 64 }, () => block)),
      key.subarray(16, 32),
    );
    const remainder = encrypted.subarray(0, 16).reduce((sum, byte) => sum + byte, 0) % 3;
    key = digest(['sha256', 'sha384', 'sha512'][remainder]!, encrypted);
    if (round >= 63 && encrypted.at(-1)! <= round - 31) return key.subarray(0, 32);
  }
}

/** Encrypted as in PDF 1.6, with unencrypted strings. */
export function encryptedWithPlainStrings(password: string): Buffer {
  const owner = Buffer.alloc(32, 5);
  const padded = Buffer.concat([Buffer.from(password, 'latin1'), PADDING]).subarray(0, 32);
  let key = digest('md5', padded, owner, Buffer.from('fcffffff', 'hex'), ID);
  for (let round = 0; round < 50; round++) key = digest('md5', key);
  let check = rc4(key, digest('md5', PADDING, ID));
  for (let round = 1; round < 20; round++)
    check = rc4(
      key.map((byte) => byte ^ round),
      check,
    );
  const contentKey = digest('md5', key, Buffer.from([CONTENT_OBJECT, 0, 0, 0, 0]), Buffer.from('sAlT'));
  return buildEncryptedPage(
    `<< /Filter /Standard /V 4 /R 4 /Length 128 /P -4 /CF << /StdCF << /CFM /AESV2 /AuthEvent /DocOpen /Length 16 >> >>
      /StmF /StdCF /StrF /Identity /U ${hex(Buffer.concat([check, Buffer.alloc(16)]))} /O ${hex(owner)} >>`,
    contentKey,
  );
}
