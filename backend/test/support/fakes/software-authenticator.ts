import { createHash, createSign, generateKeyPairSync, randomBytes, type KeyObject } from 'node:crypto';

type Cbor = number | string | Buffer | Map<number | string, Cbor>;

/** Encodes the subset of CBOR that an attestation needs. */
function encodeCbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value >= 0 ? encodeCborHead(0, value) : encodeCborHead(1, -1 - value);
  if (typeof value === 'string')
    return Buffer.concat([encodeCborHead(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([encodeCborHead(2, value.length), value]);
  return Buffer.concat([
    encodeCborHead(5, value.size),
    ...[...value].flatMap(([key, item]) => [encodeCbor(key), encodeCbor(item)]),
  ]);
}

function encodeCborHead(majorType: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(majorType << 5) | size]);
  if (size < 256) return Buffer.from([(majorType << 5) | 24, size]);
  return Buffer.from([(majorType << 5) | 25, size >> 8, size & 255]);
}

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest();

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const ATTESTED_CREDENTIAL_DATA = 0x40;

/** Deviations a test may request. */
export interface AuthenticatorOverrides {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  /** Without user verification: no PIN, fingerprint or face. */
  readonly unverified?: boolean;
  /** Replaces the next counter value. */
  readonly counter?: number;
  readonly userHandle?: string;
  readonly type?: string;
}

interface Credential {
  readonly id: string;
  readonly key: KeyObject;
  readonly userHandle: string;
}

/** A software security key: one EC P-256 key, attestation "none", a signature counter. */
export class SoftwareAuthenticator {
  private credential: Credential | null = null;
  private counter = 0;

  /**
   * @param origin of the page it is used on
   * @param countsUses false for a key without a signature counter
   */
  constructor(
    private readonly origin: string,
    private readonly countsUses = true,
  ) {}

  get id(): string {
    return this.credential!.id;
  }

  /** A cloned key, as an attacker with the key material has. */
  clone(): SoftwareAuthenticator {
    const copy = new SoftwareAuthenticator(this.origin, this.countsUses);
    copy.credential = this.credential;
    copy.counter = this.counter;
    return copy;
  }

  /** Answers `navigator.credentials.create()`. */
  create(
    options: { challenge: string; rp: { id?: string }; user: { id: string } },
    overrides: AuthenticatorOverrides = {},
  ) {
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
    const attestedData = Buffer.concat([Buffer.alloc(16), size, id, encodeCbor(cose)]);
    const authData = Buffer.concat([
      this.encodeAuthData(overrides.rpId ?? options.rp.id!, ATTESTED_CREDENTIAL_DATA, overrides),
      attestedData,
    ]);
    const attestation = new Map<string, Cbor>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ]);
    return this.toResponse({
      clientDataJSON: this.encodeClientData('webauthn.create', options.challenge, overrides).toString('base64url'),
      attestationObject: encodeCbor(attestation).toString('base64url'),
      transports: ['internal', 'hybrid'],
    });
  }

  /** Answers `navigator.credentials.get()`. */
  get(options: { challenge: string; rpId?: string }, overrides: AuthenticatorOverrides = {}) {
    const clientData = this.encodeClientData('webauthn.get', options.challenge, overrides);
    const authData = this.encodeAuthData(overrides.rpId ?? options.rpId!, 0, overrides);
    const signature = createSign('SHA256')
      .update(Buffer.concat([authData, sha256(clientData)]))
      .sign(this.credential!.key);
    return this.toResponse({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: signature.toString('base64url'),
      userHandle: overrides.userHandle ?? this.credential!.userHandle,
    });
  }

  private toResponse(response: Record<string, unknown>) {
    const { id } = this.credential!;
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  private encodeClientData(type: string, challenge: string, overrides: AuthenticatorOverrides): Buffer {
    const fields = {
      type: overrides.type ?? type,
      challenge: overrides.challenge ?? challenge,
      origin: overrides.origin ?? this.origin,
    };
    return Buffer.from(JSON.stringify({ ...fields, crossOrigin: false }));
  }

  private encodeAuthData(rpId: string, flags: number, { unverified, counter }: AuthenticatorOverrides): Buffer {
    if (this.countsUses) this.counter = counter ?? this.counter + 1;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(this.counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags | USER_PRESENT | (unverified ? 0 : USER_VERIFIED)]), count]);
  }
}
