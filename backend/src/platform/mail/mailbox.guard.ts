import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import { AppConfig } from '../config/app-config.js';
import { commonErrors } from '../errors/common.errors.js';
import { askedHere } from '../http/direct-peer.js';

/**
 * Hides the development mailbox from everybody but a person at this machine: it shows codes and links of others.
 * With a mail server there is no mailbox.
 */
@Injectable()
export class MailboxGuard implements CanActivate {
  constructor(private readonly config: AppConfig) {}

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<Request>();
    if (this.config.smtpUrl === null && askedHere(request)) return true;
    throw commonErrors.NOT_FOUND();
  }
}
