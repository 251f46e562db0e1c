import { applyDecorators, Injectable, SetMetadata, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { ApiConsumes } from '@nestjs/swagger';
import { commonErrors } from '../../errors/common.errors.js';
import type { AppRequest } from './viewer.js';

const BODY_TYPES = 'zonary:body-types';

/** Content types that a route accepts instead of JSON. */
export const Consumes = (...types: string[]) => applyDecorators(SetMetadata(BODY_TYPES, types), ApiConsumes(...types));

/** Responds 415 to a body with an unsupported content type, instead of treating it as empty. */
@Injectable()
export class BodyTypeGuard implements CanActivate {
  constructor(private readonly reflector: Reflector) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<AppRequest>();
    const hasBody = request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length']) > 0;
    if (!hasBody) return true;
    const types = this.reflector.get<string[] | undefined>(BODY_TYPES, context.getHandler()) ?? ['application/json'];
    if (request.is(types)) return true;
    throw commonErrors.UNSUPPORTED_TYPE();
  }
}
