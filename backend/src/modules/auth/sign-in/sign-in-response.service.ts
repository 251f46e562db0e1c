import { applyDecorators, Injectable } from '@nestjs/common';
import { ApiExtraModels, ApiResponse, getSchemaPath } from '@nestjs/swagger';
import type { Response } from 'express';
import type { AppRequest } from '../../../platform/http/parsing/viewer.js';
import { FactorRequiredDto } from '../mfa/dto/factor-sign-in.dto.js';
import { toSignedInUserDto, SignedInUserDto } from '../dto/signed-in-user.dto.js';
import { SessionCookieService } from '../sessions/session-cookie.service.js';
import { PendingSignInCookie } from '../shared/browser-cookies.js';
import { isSessionCreated, type SignInResult } from './session-issuer.service.js';

/** The response of every route that signs users in. */
export type EntryDto = SignedInUserDto | FactorRequiredDto;

/** Describes this response in OpenAPI. */
export const ApiSignInResponse = (status: 200 | 201 = 200) =>
  applyDecorators(
    ApiExtraModels(SignedInUserDto, FactorRequiredDto),
    ApiResponse({
      status,
      description: 'The signed-in user, or the second factors to choose from',
      schema: { oneOf: [{ $ref: getSchemaPath(SignedInUserDto) }, { $ref: getSchemaPath(FactorRequiredDto) }] },
    }),
  );

/** Writes the cookie of a new session, or of a sign-in that waits for a second factor. */
@Injectable()
export class SignInResponseService {
  constructor(
    private readonly sessionCookie: SessionCookieService,
    private readonly pendingSignInCookie: PendingSignInCookie,
  ) {}

  /** Writes the cookie. @returns the response body */
  writeSignInResponse(response: Response, result: SignInResult): EntryDto {
    if (!isSessionCreated(result)) {
      this.pendingSignInCookie.write(response, result.pendingToken);
      return { requiresFactor: true, factors: result.methods };
    }
    if (this.pendingSignInCookie.read(response.req as AppRequest) !== null) this.pendingSignInCookie.clear(response);
    this.sessionCookie.write(response, result.sid);
    return toSignedInUserDto(result.user, result.restricted);
  }
}

/** Returns the path of the second-factor page, for the browser that has the cookie. */
export function mfaRedirectPath(next: string | null): string {
  return `/auth?${new URLSearchParams({ step: 'factor', ...(next !== null && { next }) }).toString()}`;
}
