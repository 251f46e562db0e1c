import { createHash, createSign, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';

type Cbor = number | string | Buffer | Map<number | string, Cbor>;

/** As much of CBOR as an attestation needs. */
function encode(value: Cbor): Buffer {
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, item]) => [encode(key), encode(item)])]);
}

function head(kind: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(kind << 5) | size]);
  if (size < 256) return Buffer.from([(kind << 5) | 24, size]);
  return Buffer.from([(kind << 5) | 25, size >> 8, size & 255]);
}

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest();

const PRESENT = 0x01;
const VERIFIED = 0x04;
const ATTESTED = 0x40;

/** What a test may have go wrong. */
export interface Circumstances {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  /** The device asked for no PIN, finger or face. */
  readonly unverified?: boolean;
  /** In the place of the next number. */
  readonly counter?: number;
  readonly userHandle?: string;
  readonly type?: string;
}

interface Credential {
  readonly id: string;
  readonly key: KeyObject;
  readonly userHandle: string;
}

/** A security key in software: one EC P-256 key, attestation "none", a counter of uses. */
export class SoftwareAuthenticator {
  private credential: Credential | null = null;
  private counter = 0;

  /**
   * @param origin of the page in which it is used
   * @param counts false for one that does not count its uses
   */
  constructor(
    private readonly origin: string,
    private readonly counts = true,
  ) {}

  get id(): string {
    return this.credential!.id;
  }

  /** A copy, as somebody makes one who has got hold of the key. */
  clone(): SoftwareAuthenticator {
    const copy = new SoftwareAuthenticator(this.origin, this.counts);
    copy.credential = this.credential;
    copy.counter = this.counter;
    return copy;
  }

  /** Answers `navigator.credentials.create()`. */
  create(options: { challenge: string; rp: { id?: string }; user: { id: string } }, how: Circumstances = {}) {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const id = randomBytes(32);
    this.credential = { id: id.toString('base64url'), key: privateKey, userHandle: options.user.id };
    const { x, y } = publicKey.export({ format: 'jwk' }) as { x: string; y: string };
    const cose = new Map<number, Cbor>([
      ...([
        [1, 2],
        [3, -7],
        [-1, 1],
      ] as [number, number][]),
      ...([
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ] as [number, Buffer][]),
    ]);
    const size = Buffer.from([id.length >> 8, id.length & 255]);
    const attested = Buffer.concat([Buffer.alloc(16), size, id, encode(cose)]);
    const authData = Buffer.concat([this.authData(how.rpId ?? options.rp.id!, ATTESTED, how), attested]);
    const attestation = new Map<string, Cbor>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ]);
    return this.answer({
      clientDataJSON: this.clientData('webauthn.create', options.challenge, how).toString('base64url'),
      attestationObject: encode(attestation).toString('base64url'),
      transports: ['internal', 'hybrid'],
    });
  }

  /** Answers `navigator.credentials.get()`. */
  get(options: { challenge: string; rpId?: string }, how: Circumstances = {}) {
    const clientData = this.clientData('webauthn.get', options.challenge, how);
    const authData = this.authData(how.rpId ?? options.rpId!, 0, how);
    const signature = createSign('SHA256')
      .update(Buffer.concat([authData, sha256(clientData)]))
      .sign(this.credential!.key);
    return this.answer({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: signature.toString('base64url'),
      userHandle: how.userHandle ?? this.credential!.userHandle,
    });
  }

  private answer(response: Record<string, unknown>) {
    const { id } = this.credential!;
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  private clientData(type: string, challenge: string, how: Circumstances): Buffer {
    const told = { type: how.type ?? type, challenge: how.challenge ?? challenge, origin: how.origin ?? this.origin };
    return Buffer.from(JSON.stringify({ ...told, crossOrigin: false }));
  }

  private authData(rpId: string, flags: number, { unverified, counter }: Circumstances): Buffer {
    if (this.counts) this.counter = counter ?? this.counter + 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(this.counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags | PRESENT | (unverified ? 0 : VERIFIED)]), count]);
  }
}
