import { Injectable, type ExecutionContext } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import { validationPipe } from '../../platform/http/validation.js';
import type { AppRequest } from '../../platform/http/viewer.js';
import { LoginDto } from './dto/login.dto.js';

/** Runs the local strategy, after the body is checked: guards come before pipes. */
@Injectable()
export class LocalAuthGuard extends AuthGuard('local') {
  private readonly pipe = validationPipe();

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const { body } = context.switchToHttp().getRequest<AppRequest>();
    await this.pipe.transform(body ?? {}, { type: 'body', metatype: LoginDto });
    return (await super.canActivate(context)) as boolean;
  }

  /** The strategy's error as it is, not wrapped into passport's own. */
  override handleRequest<T>(error: unknown, user: T): T {
    if (error) throw error;
    return user;
  }
}
