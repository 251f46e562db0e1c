import { applyDecorators, SetMetadata, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { commonErrors } from '../../errors/common.errors.js';
import { ApiErrors } from '../errors/api-errors.decorator.js';
import { Reflector } from '@nestjs/core';
import { networkOfClient } from './client-network.js';
import type { AppRequest } from '../reading/viewer.js';
import { WorkProofs, type WorkPurpose } from './work-proofs.service.js';

export const WORK_PURPOSE = 'zonary:work-purpose';

/** The header that bears the solution: base64 of `{"challenge": …, "solution": {"counter", "derivedKey"}}`. */
export const WORK_HEADER = 'X-Work-Proof';

/** Asks a network that calls the route often to solve a small task first: it has strangers written to. */
export const AsksForWork = (purpose: WorkPurpose) =>
  applyDecorators(
    SetMetadata(WORK_PURPOSE, purpose),
    ApiHeader({
      name: WORK_HEADER,
      required: false,
      description:
        'The solution of the proof-of-work task from a `WORK_REQUIRED` answer: its `challenge` with the `solution`, in Base64.',
    }),
    ApiErrors(commonErrors.WORK_REQUIRED),
  );

/** Stands before the limits by network: a request that is sent again with its work counts there once. */
@Injectable()
export class WorkGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly proofs: WorkProofs,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const purpose = this.reflector.get<WorkPurpose | undefined>(WORK_PURPOSE, context.getHandler());
    if (!purpose) return true;
    const request = context.switchToHttp().getRequest<AppRequest>();
    await this.proofs.demand(purpose, networkOfClient(request), request.get(WORK_HEADER));
    return true;
  }
}
