import { applyDecorators, SetMetadata, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { commonErrors } from '../../errors/common.errors.js';
import { ApiErrors } from '../errors/api-errors.decorator.js';
import { Reflector } from '@nestjs/core';
import { clientNetworkOf } from './client-network.js';
import type { AppRequest } from '../parsing/viewer.js';
import { ProofOfWorkService, type ProofOfWorkPurpose } from './proof-of-work.service.js';

export const PROOF_OF_WORK_PURPOSE = 'zonary:work-purpose';

/** The header with the solution: Base64 of `{"challenge": …, "solution": {"counter", "derivedKey"}}`. */
export const PROOF_OF_WORK_HEADER = 'X-Work-Proof';

/** Requires proof of work from networks that call the route often, because it sends email to third parties. */
export const RequireProofOfWork = (purpose: ProofOfWorkPurpose) =>
  applyDecorators(
    SetMetadata(PROOF_OF_WORK_PURPOSE, purpose),
    ApiHeader({
      name: PROOF_OF_WORK_HEADER,
      required: false,
      description:
        'The solution of the proof-of-work task from a `WORK_REQUIRED` answer: its `challenge` with the `solution`, in Base64.',
    }),
    ApiErrors(commonErrors.WORK_REQUIRED),
  );

/** Runs before the network limits, so that a request repeated with its proof is counted there only once. */
@Injectable()
export class ProofOfWorkGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly proofOfWork: ProofOfWorkService,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const purpose = this.reflector.get<ProofOfWorkPurpose | undefined>(PROOF_OF_WORK_PURPOSE, context.getHandler());
    if (!purpose) return true;
    const request = context.switchToHttp().getRequest<AppRequest>();
    await this.proofOfWork.requireProof(purpose, clientNetworkOf(request), request.get(PROOF_OF_WORK_HEADER));
    return true;
  }
}
