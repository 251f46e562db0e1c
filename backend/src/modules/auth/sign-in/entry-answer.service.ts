import { applyDecorators, Injectable } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import type { Response } from 'express';
import type { AppRequest } from '../../../platform/http/reading/viewer.js';
import { FactorRequiredDto } from '../factors/dto/factor-sign-in.dto.js';
import { signedInUser, SignedInUserDto } from '../dto/signed-in-user.dto.js';
import { SessionCookie } from '../sessions/session-cookie.service.js';
import { PendingCookie } from '../shared/browser-cookies.js';
import { isOpened, type Entry } from './session-opener.service.js';

/** What every route answers by which somebody comes in. */
export type EntryDto = SignedInUserDto | FactorRequiredDto;

/** Describes that answer in the contract. */
export const ApiEntryResponse = (status: 200 | 201 = 200) =>
  applyDecorators(
    ApiExtraModels(SignedInUserDto, FactorRequiredDto),
    ApiResponse({
      status,
      description: 'The signed-in user, or the second factors to choose from',
      schema: { oneOf: [{ $ref: getSchemaPath(SignedInUserDto) }, { $ref: getSchemaPath(FactorRequiredDto) }] },
    }),
  );

/** Gives the browser what it needs of a session that was opened, or of a sign-in that waits for a second factor. */
@Injectable()
export class EntryAnswer {
  constructor(
    private readonly session: SessionCookie,
    private readonly pending: PendingCookie,
  ) {}

  /** Writes the cookie. @returns the answer */
  send(response: Response, entry: Entry): EntryDto {
    if (!isOpened(entry)) {
      this.pending.write(response, entry.pendingToken);
      return { requiresFactor: true, factors: entry.factors };
    }
    if (this.pending.read(response.req as AppRequest) !== null) this.pending.clear(response);
    this.session.write(response, entry.sid);
    return signedInUser(entry.user, entry.restricted);
  }
}

/** The path of the page that asks for the second factor, in the browser that has the cookie. */
export function factorPage(next: string | null): string {
  return `/auth?${new URLSearchParams({ step: 'factor', ...(next !== null && { next }) }).toString()}`;
}
