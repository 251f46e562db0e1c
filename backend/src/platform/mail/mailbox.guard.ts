import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { AppConfig } from '../config/app-config.js';
import { commonErrors } from '../errors/common.errors.js';
import { cameDirectly } from '../http/direct-peer.js';

const LOCAL_HOST = /^(localhost|127\.0\.0\.1)(:\d{1,5})?$/i;

/**
 * Hides the development mailbox from everybody but a person at this machine: it shows codes and links of others.
 * The peer must be this machine, the name asked for as well (a foreign name could be pointed here), and nothing may
 * have forwarded the request. With a mail server there is no mailbox.
 */
@Injectable()
export class MailboxGuard implements CanActivate {
  constructor(private readonly config: AppConfig) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    if (this.config.smtpUrl === null && isLocal(request)) return true;
    throw commonErrors.NOT_FOUND();
  }
}

function isLocal(request: Request): boolean {
  return cameDirectly(request) && LOCAL_HOST.test(request.headers.host ?? '');
}
