import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { Clock, HOUR, MINUTE } from '../../../../platform/clock/clock.js';
import { AppConfig } from '../../../../platform/config/app-config.js';
import type { AppRequest } from '../../../../platform/http/parsing/viewer.js';
import type { DerivedKey } from '../../../../platform/security/derived-keys.js';
import { seal, unseal } from '../../../../platform/security/secret-box.js';

/** How long a document stays unlocked for the session that entered its password. */
const LIFETIME = HOUR;
/** Allowed clock skew between two hosts. */
const CLOCK_SKEW = MINUTE;

interface SealedPassword {
  readonly password: string;
  /** Milliseconds since the Unix epoch. */
  readonly until: number;
}

/**
 * Keeps the passwords of documents in a cookie that the browser sends with each page request. Page images therefore
 * have plain URLs and any process can serve them. The cookie is encrypted: the browser can't read it, and it is valid
 * only for that file, that session and one hour. The server stores no passwords.
 */
@Injectable()
export class DocumentPasswordCookieService {
  private readonly key: DerivedKey;
  private readonly name: string;

  constructor(
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {
    this.key = config.keys.forPurpose('document-passwords');
    // No `__Host-` prefix, which requires the path `/`: this cookie is sent only with requests for the pages of its
    // file.
    this.name = config.isSecure ? '__Secure-zonary_document' : 'zonary_document';
  }

  /** Returns the password that the session entered for a file, or null if there is none or it has expired. */
  readPassword(request: AppRequest, fileId: number): string | null {
    const sessionId = request.viewer?.sessionId ?? null;
    const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
    const sealed = pairs.find((pair) => pair.startsWith(`${this.name}=`))?.slice(this.name.length + 1);
    if (sessionId === null || sealed === undefined) return null;
    const stored = this.unsealCookie(sealed, sealContext(fileId, sessionId));
    const remaining = (stored?.until ?? 0) - this.clock.now().getTime();
    // A cookie with a longer lifetime was not issued by us (ADR 0019).
    return stored !== null && remaining > 0 && remaining <= LIFETIME + CLOCK_SKEW ? stored.password : null;
  }

  /** Stores the password in the browser for one hour. */
  writePassword(response: Response, fileId: number, sessionId: number, password: string): void {
    const sealed: SealedPassword = { password, until: this.clock.now().getTime() + LIFETIME };
    response.cookie(this.name, seal(this.key, JSON.stringify(sealed), sealContext(fileId, sessionId)), {
      httpOnly: true,
      sameSite: 'strict',
      secure: this.config.isSecure,
      path: `/api/files/${fileId}/pages`,
      maxAge: LIFETIME,
    });
  }

  /** Returns null if the cookie was tampered with, or belongs to another file or session. */
  private unsealCookie(sealed: string, owner: string): SealedPassword | null {
    try {
      return JSON.parse(unseal(this.key, sealed, owner)) as SealedPassword;
    } catch {
      return null;
    }
  }
}

const sealContext = (fileId: number, sessionId: number): string => `file:${fileId} session:${sessionId}`;
