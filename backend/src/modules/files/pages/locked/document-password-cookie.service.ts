import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { Clock, HOUR, MINUTE } from '../../../../platform/clock/clock.js';
import { AppConfig } from '../../../../platform/config/app-config.js';
import type { AppRequest } from '../../../../platform/http/parsing/viewer.js';
import type { DerivedKey } from '../../../../platform/security/derived-keys.js';
import { seal, unseal } from '../../../../platform/security/secret-box.js';

/** For how long a document stays open to the session that gave its password. */
const LIFETIME = HOUR;
/** By how much the clocks of two hosts may differ. */
const CLOCK_SKEW = MINUTE;

interface SealedPassword {
  readonly password: string;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/**
 * Passwords of documents, which the browser of the reader keeps and brings back with each page, so that pictures come by
 * their plain addresses and any process can open them. They are sealed: the browser cannot read them, and they open
 * nothing but that file, in that session, within the hour. The server keeps none.
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
    // Not `__Host-`, which holds for all paths: this one is sent with the pages of its file only.
    this.name = config.isSecure ? '__Secure-zonary_document' : 'zonary_document';
  }

  /** The password that the session gave for a file; null without one that still counts. */
  readPassword(request: AppRequest, fileId: number): string | null {
    const sessionId = request.viewer?.sessionId ?? null;
    const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim());
    const sealed = pairs.find((pair) => pair.startsWith(`${this.name}=`))?.slice(this.name.length + 1);
    if (sessionId === null || sealed === undefined) return null;
    const stored = this.unsealCookie(sealed, sealContext(fileId, sessionId));
    const left = (stored?.until ?? 0) - this.clock.now().getTime();
    // What says that it lives for longer is none of ours (ADR 0019).
    return stored !== null && left > 0 && left <= LIFETIME + CLOCK_SKEW ? stored.password : null;
  }

  /** Has the browser keep it for an hour. */
  writePassword(response: Response, fileId: number, sessionId: number, password: string): void {
    const kept: SealedPassword = { password, until: this.clock.now().getTime() + LIFETIME };
    response.cookie(this.name, seal(this.key, JSON.stringify(kept), sealContext(fileId, sessionId)), {
      ...{ httpOnly: true, sameSite: 'strict', secure: this.config.isSecure },
      path: `/api/files/${fileId}/pages`,
      maxAge: LIFETIME,
    });
  }

  /** Null of what was altered, or made for another file or session. */
  private unsealCookie(sealed: string, owner: string): SealedPassword | null {
    try {
      return JSON.parse(unseal(this.key, sealed, owner)) as SealedPassword;
    } catch {
      return null;
    }
  }
}

const sealContext = (fileId: number, sessionId: number): string => `file:${fileId} session:${sessionId}`;
